import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { webhookPublicKey } from '../server/createWebhook.js';
import { apiPrivateKey } from '../server/startUpstream.js';

/** One of several instances of a partner's backend, with the built package. */
export interface RampInstance {
  readonly url: string;
  /** Starts to sync. */
  start(): void;
  /** Kills the process immediately, as a fault does. */
  kill(): Promise<void>;
  /** Returns whether the process has ended. */
  hasEnded(): boolean;
  /** Suspends the process: its connections stay open, but it does not respond. */
  freeze(): void;
  resume(): void;
  /** The keys with which its callback was called, if `books` is set. */
  readonly calls: readonly string[];
}

export interface InstanceOptions {
  /** Its name: the partner ID in requests, and a column of each delivery. */
  readonly name: string;
  readonly target: string;
  readonly apiUrl: string;
  readonly allowedOrigins?: readonly string[];
  readonly pollSeconds?: number;
  /** Books each change with its goods in one transaction, in `shop_bookings` and `shop_goods`. */
  readonly books?: boolean;
  /** A plain `pg.Pool` with these options, instead of `postgresPool`. */
  readonly plainPool?: object;
}

export async function startInstance(options: InstanceOptions): Promise<RampInstance> {
  const all = {
    allowedOrigins: ['https://shop.example'],
    apiPrivateKey,
    webhookPublicKey,
    ...options,
  };
  const args = ['test/support/database/rampInstance.mjs', JSON.stringify(all)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  // Writes to a killed process are lost.
  child.stdin.on('error', () => {});
  const closed = once(child, 'close');
  const output = await Promise.race([once(child.stdout, 'data'), closed]);
  const url = `${output[0]}`.trim();
  if (!url.startsWith('http')) throw new Error('The instance did not start; see above.');
  const calls: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('called ')) calls.push(line.slice('called '.length));
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    url,
    hasEnded,
    calls,
    freeze() {
      child.kill('SIGSTOP');
    },
    resume() {
      child.kill('SIGCONT');
    },
    start() {
      child.stdin.write('start\n');
    },
    async kill() {
      if (!hasEnded()) child.kill('SIGKILL');
      await closed;
    },
  };
}
