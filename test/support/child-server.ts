import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A server in a Node process of its own. */
export interface ChildServer {
  /** Everything that it has said so far. */
  logs(): string;
  close(): Promise<void>;
}

interface ChildOptions {
  /** Where it answers once it is there. */
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The program that is started. @default Node */
  readonly program?: string;
}

const WAIT_MS = 20_000;

/** Starts a server by the arguments for Node, and waits until it answers. */
export async function startChild(
  args: readonly string[],
  { url, env, cwd, program = process.execPath }: ChildOptions,
): Promise<ChildServer> {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env } });
  let logs = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      logs += chunk;
    });
  const close = () => stop(child);
  for (const end = Date.now() + WAIT_MS; Date.now() < end && child.exitCode === null; ) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return { logs: () => logs, close };
    await new Promise((done) => setTimeout(done, 100));
  }
  await close();
  throw new Error(`The server does not answer. It said:\n${logs}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
