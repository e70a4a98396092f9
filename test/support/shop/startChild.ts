import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ChildServer {
  /** Returns the output of stdout and stderr until now. */
  logs(): string;
  close(): Promise<void>;
}

interface ChildOptions {
  /** The URL that is requested until the server is ready. */
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The program to start. @default process.execPath, which is Node.js */
  readonly command?: string | undefined;
  /** Returns whether the response of `url` shows that the server is ready. @default any status of 2xx */
  readonly isReady?: (response: Response) => boolean;
}

/** On a busy machine, the first page of a framework's development server takes 15 seconds. */
const WAIT_MS = 60_000;

/** Resolves when the server is ready. Rejects if the process exits first, or after {@link WAIT_MS}. */
export async function startChild(
  args: readonly string[],
  { url, env, cwd, command = process.execPath, isReady = ({ ok }) => ok }: ChildOptions,
): Promise<ChildServer> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env } });
  let logs = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      logs += chunk;
    });
  const close = () => stop(child);
  for (const end = Date.now() + WAIT_MS; Date.now() < end && !hasEnded(child); ) {
    const response = await fetch(url, { signal: AbortSignal.timeout(WAIT_MS / 2) }).catch(
      () => undefined,
    );
    await response?.body?.cancel();
    if (response && isReady(response)) return { logs: () => logs, close };
    await new Promise((done) => setTimeout(done, 100));
  }
  await close();
  throw new Error(`The server does not respond. Its output:\n${logs}`);
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
