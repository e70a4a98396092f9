import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isRampError } from '../protocol/errors/RampError.js';
import { apiFaults, quirkNames, webhookFaults } from '../sandbox/faults.js';
import {
  assertNotProduction,
  parseSandboxOptions,
  type SandboxOptions,
} from '../sandbox/parseSandboxOptions.js';
import { startSandbox } from '../sandbox/startSandbox.js';
import { listVariables } from '../sandbox/variables.js';
import { type Command, type CommandIo, UsageError } from './Command.js';
import { formatVariables, isTrackable, writeEnvBlock } from './writeEnvBlock.js';

const help = `Usage: npx @partner-ramp/react sandbox [OPTIONS] [-- COMMAND [ARGUMENTS]]

Runs the whole service on this machine until Ctrl-C: the widgets, the partner API and webhooks. It prints the
variables that a backend needs, or writes them to a file, or starts COMMAND with them and stops with it.

  --port PORT            the port to listen on, 4010 by default
  --host HOST            another loopback address, 127.0.0.1 by default
  --webhook-url URL      receives webhooks: an http: address on loopback
  --console-port PORT    runs the console on this port: messages with their signed text, orders, and faults
  --allow-host HOST      another name by which browsers open the console, such as that of a container; may be repeated
  --write-env FILE       writes the variables to FILE instead of printing them (mode 600; replaces its own lines only)
  --state DIR            keeps keys and orders in DIR (mode 700). Without it, each start has new keys and no orders

For tests that must repeat:

  --seed TEXT            derives the IDs and hashes of orders, nonces, and which requests have a fault from TEXT
  --clock TIME           stops the clock at TIME, such as 2026-01-31T12:00:00Z or Unix seconds. Orders finish at once,
                         and the clock of your backend must be the same

Faults:

  --latency-ms MS        delays each response and each webhook
  --api-fault NAME       ${apiFaults.join(', ')}
  --webhook-fault NAME   ${webhookFaults.join(', ')}
  --fault-rate RATE      the share of API requests and webhooks with the fault, 0 to 1, by default 1
  --quirks NAMES         all, or some of these, separated by commas:
                         ${quirkNames.join(', ')}

Examples:

  npx @partner-ramp/react sandbox --webhook-url http://127.0.0.1:3000/api/ramp/webhook
  npx @partner-ramp/react sandbox --state .sandbox --write-env .env
  npx @partner-ramp/react sandbox -- node server.js
`;

const text = { type: 'string' } as const;
const options = {
  port: { type: 'string', default: '4010' },
  host: text,
  'webhook-url': text,
  'console-port': text,
  'allow-host': { type: 'string', multiple: true },
  // Not --env-file: Node.js 20 takes that option for itself, even after the program's name.
  'write-env': text,
  state: text,
  seed: text,
  clock: text,
  'latency-ms': text,
  'api-fault': text,
  'webhook-fault': text,
  'fault-rate': text,
  quirks: text,
} as const;

/** `partner-ramp sandbox`: runs the sandbox until it is interrupted. */
export const sandbox: Command = {
  summary: 'run the service on this machine, for development and tests',
  help,
  async run(args, io) {
    const { values, positionals: command } = parseArgs({ args, options, allowPositionals: true });
    if (command.length > 0 && !args.includes('--'))
      throw new UsageError('Write -- before a command. Any other argument is an option.');
    assertNotProduction(io.env);
    const started = await startSandbox(parseOptions(values, io));
    try {
      const variables = listVariables(started, values['webhook-url']);
      const envFile = values['write-env'];
      if (values.state !== undefined) await warnIfTrackable(resolve(io.cwd, values.state), io);
      if (envFile !== undefined) await writeEnvFile(resolve(io.cwd, envFile), variables, io);
      io.print(`The sandbox runs on ${started.widgetUrl} until you press Ctrl-C.\n`);
      if (started.consoleUrl !== undefined) io.print(`Its console is ${started.consoleUrl}.\n`);
      if (values.clock !== undefined)
        io.print('Its clock stands still, so orders finish at once.\n');
      if (command.length > 0) return await runCommand(command, variables, io);
      if (envFile === undefined)
        io.print(`Set these variables for your backend:\n\n${formatVariables(variables)}\n`);
      if (!io.signal.aborted) await once(io.signal, 'abort');
      return 0;
    } finally {
      await started.close();
    }
  },
};

type Values = {
  readonly [Name in Exclude<keyof typeof options, 'allow-host'>]?: string | undefined;
} & { readonly 'allow-host'?: string[] | undefined };

/** Converts the arguments to `startSandbox` options. @throws UsageError for an invalid one. */
function parseOptions(values: Values, { cwd, warn }: CommandIo): SandboxOptions {
  const { host, seed, state, clock } = values;
  const webhookUrl = values['webhook-url'];
  // Tools disagree about how to quote any other characters in a .env file.
  if (webhookUrl !== undefined && !/^[!%&(-;=?-[\]^_a-z{|}~]+$/i.test(webhookUrl))
    throw new UsageError(
      '--webhook-url expects a URL without spaces, quotes, $, # and backslashes.',
    );
  const given = {
    port: parseNumber('port', values.port),
    host,
    webhookUrl,
    consolePort: parseNumber('console-port', values['console-port']),
    consoleHosts: values['allow-host'],
    seed,
    state: state === undefined ? undefined : resolve(cwd, state),
    // A stopped clock never reaches an order's next step, so give the steps no duration.
    ...(clock !== undefined && { now: parseClock(clock), stepMs: 0, settleMs: 0 }),
    latencyMs: parseNumber('latency-ms', values['latency-ms']),
    apiFault: parseName('api-fault', values['api-fault'], apiFaults),
    webhookFault: parseName('webhook-fault', values['webhook-fault'], webhookFaults),
    faultRate: parseNumber('fault-rate', values['fault-rate']),
    quirks: parseQuirks(values.quirks),
    log: (line: string) => warn(`${line}\n`),
  };
  try {
    parseSandboxOptions(given);
  } catch (error) {
    if (isRampError(error)) throw new UsageError(error.message.replace(/^startSandbox/, 'sandbox'));
    throw error;
  }
  return given;
}

function parseNumber(name: keyof Values, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d+(\.\d+)?$/.test(value)) throw new UsageError(`--${name} expects a number.`);
  return Number(value);
}

function parseName<Name extends string>(
  option: keyof Values,
  value: string | undefined,
  names: readonly Name[],
): Name | undefined {
  if (value === undefined) return undefined;
  const name = names.find((each) => each === value);
  if (!name) throw new UsageError(`--${option} expects one of ${names.join(', ')}.`);
  return name;
}

function parseQuirks(value: string | undefined): SandboxOptions['quirks'] {
  if (value === undefined || value === 'all') return value === 'all';
  const names = value.split(',').map((name) => parseName('quirks', name.trim(), quirkNames));
  return Object.fromEntries(names.map((name) => [name, true]));
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

/** Returns a clock that always shows this time. */
function parseClock(value: string): () => number {
  const atMs = /^\d{10}$/.test(value) ? Number(value) * 1000 : Date.parse(value);
  if (!(/^\d{10}$/.test(value) || isoTime.test(value)) || Number.isNaN(atMs))
    throw new UsageError(
      '--clock expects a time with its zone, such as 2026-01-31T12:00:00Z, or Unix seconds.',
    );
  return () => atMs;
}

async function writeEnvFile(
  path: string,
  variables: Readonly<Record<string, string>>,
  io: CommandIo,
): Promise<void> {
  writeEnvBlock(path, variables);
  io.print(`Wrote ${Object.keys(variables).length} variables to ${relative(io.cwd, path)}.\n`);
  await warnIfTrackable(path, io);
}

async function warnIfTrackable(path: string, { warn, cwd }: CommandIo): Promise<void> {
  if (await isTrackable(path))
    warn(
      `Git does not ignore ${relative(cwd, path)}, which contains secrets. Add it to .gitignore.\n`,
    );
}

/** Runs a command with the variables in its environment. Returns its exit code. */
async function runCommand(
  [file = '', ...args]: string[],
  variables: Readonly<Record<string, string>>,
  { env, cwd, signal }: CommandIo,
): Promise<number> {
  const child = spawn(file, args, {
    cwd,
    env: { ...env, ...variables },
    stdio: 'inherit',
    // Windows starts the .cmd files of npm only in a shell.
    shell: process.platform === 'win32',
  });
  // The terminal sends Ctrl-C to the child too. A second signal does no harm.
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  try {
    if (signal.aborted) stop();
    const [code] = await once(child, 'exit');
    return signal.aborted ? 0 : (code ?? 1);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new UsageError(`The command ${JSON.stringify(file)} was not found.`);
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
