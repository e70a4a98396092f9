import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { UsageError } from '../Command.js';
import type { LoopbackClient } from './loopbackClient.js';

interface StartOptions {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly client: LoopbackClient;
  readonly waitSeconds: number;
  readonly signal: AbortSignal;
}

export interface Backend {
  /** Returns the last part of what the program has printed. */
  output(): string;
  close(): Promise<void>;
}

const MAX_OUTPUT = 4000;
const KILL_MS = 5000;

/**
 * Starts the backend under test, and resolves when it listens at the address of `client`.
 *
 * @throws UsageError if another program listens there already, or if the backend ends or does not listen in time.
 */
export async function startBackend({
  command: [program = '', ...args],
  env,
  cwd,
  client,
  waitSeconds,
  signal,
}: StartOptions): Promise<Backend> {
  if (await client.isListening())
    throw new UsageError(
      `Another program listens at ${client.url.host} already. Stop it, or use another port.`,
    );
  // Use a separate process group, to end the programs that the command starts too: `go run` leaves its program running.
  const isGroup = process.platform !== 'win32';
  const child = spawn(program, args, {
    env,
    cwd,
    detached: isGroup,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-MAX_OUTPUT);
    });
  let failure: string | undefined;
  child.on('error', (error) => {
    failure = `could not be started (${error.message})`;
  });
  child.on('exit', (code, by) => {
    failure ??= `ended with ${code ?? by}`;
  });

  const kill = (name: NodeJS.Signals) => {
    try {
      if (isGroup && child.pid) process.kill(-child.pid, name);
      else child.kill(name);
    } catch {
      // The program has already ended.
    }
  };
  const close = async () => {
    if (failure !== undefined) return kill('SIGKILL');
    const ended = once(child, 'exit');
    kill('SIGTERM');
    await Promise.race([ended, delay(KILL_MS, undefined, { ref: false })]);
    kill('SIGKILL');
  };

  try {
    for (const end = Date.now() + waitSeconds * 1000; !(await client.isListening()); ) {
      if (failure) throw new UsageError(`The backend ${failure}. Its output:\n${output}`);
      if (Date.now() > end)
        throw new UsageError(
          `The backend does not listen at ${client.url.host} after ${waitSeconds} seconds. Its output:\n${output}`,
        );
      await delay(100, undefined, { signal });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { output: () => output, close };
}
