import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

interface RunOptions {
  readonly cwd: string;
  readonly shell?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  /** The Node that runs the script. @default the one of this process */
  readonly command?: string | undefined;
}

/** Runs a script with Node and returns its output. Rejects with the output when the script fails. */
export const runNode = (
  args: string[],
  { command = process.execPath, ...options }: RunOptions,
): Promise<string> => execute(command, args, options);

/** Runs npm and returns its output. Rejects with the output when npm fails. */
export function runNpm(args: string[], options: RunOptions): Promise<string> {
  const cli = process.env.npm_execpath;
  if (cli && /npm-cli\.c?js$/.test(cli)) return runNode([cli, ...args], options);
  return execute('npm', args, { shell: process.platform === 'win32', ...options });
}

async function execute(file: string, args: string[], options: RunOptions): Promise<string> {
  try {
    return (await promisify(execFile)(file, args, options)).stdout;
  } catch (error) {
    const { message, stdout, stderr } = error as Error & { stdout?: string; stderr?: string };
    throw new Error([message, stdout, stderr].filter(Boolean).join('\n'));
  }
}
