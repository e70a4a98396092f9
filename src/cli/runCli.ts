import { findNearestName } from '../protocol/findNearestName.js';
import { type Command, type CommandIo, UsageError } from './Command.js';

/** The commands by name, in the order of the help. Each is loaded when it is used. */
export type Commands = Readonly<Record<string, () => Promise<Command>>>;

/**
 * Runs the command that the first argument names, and resolves with the process's exit code, which is 2 for wrong
 * arguments. An error is printed as one line: its code and its message.
 */
export async function runCli(
  commands: Commands,
  [name, ...args]: readonly string[],
  io: CommandIo,
): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    io.print(await formatHelp(commands));
    return name === undefined ? 2 : 0;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) {
    const nearest = findNearestName(name, Object.keys(commands));
    const hint = nearest ? `Did you mean ${nearest}?` : 'partner-ramp --help lists the commands.';
    io.warn(`Unknown command ${JSON.stringify(name)}. ${hint}\n`);
    return 2;
  }
  try {
    const command = await load();
    // The arguments after -- belong to another command.
    const own = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length);
    if (own.includes('--help') || own.includes('-h')) {
      io.print(command.help);
      return 0;
    }
    return await command.run(args, io);
  } catch (error) {
    const isUsage = error instanceof UsageError || isParseArgsError(error);
    io.warn(`${formatError(error, name)}\n`);
    if (isUsage) io.warn(`partner-ramp ${name} --help lists the options.\n`);
    return isUsage ? 2 : 1;
  }
}

async function formatHelp(commands: Commands): Promise<string> {
  const loaded = await Promise.all(
    Object.entries(commands).map(async ([name, load]) => ({ name, ...(await load()) })),
  );
  const width = Math.max(...loaded.map(({ name }) => name.length));
  const lines = loaded.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: npx @partner-ramp/react COMMAND [OPTIONS]

${lines.join('\n')}

npx @partner-ramp/react COMMAND --help explains a command.
`;
}

/** Returns whether Node.js's `parseArgs` threw the error, because an option is unknown or incomplete. */
const isParseArgsError = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  error.code.startsWith('ERR_PARSE_ARGS');

function formatError(error: unknown, command: string): string {
  if (!(error instanceof Error)) return String(error);
  const code =
    'code' in error && typeof error.code === 'string' && error.code.startsWith('ERR_')
      ? error.code
      : undefined;
  // Node.js's message repeats the argument, which may be a secret.
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
    return `${command} takes options only. Secrets come from the environment or from files.`;
  return code && !code.startsWith('ERR_PARSE_ARGS') ? `${code}: ${error.message}` : error.message;
}
