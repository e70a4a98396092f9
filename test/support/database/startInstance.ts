import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { webhookPublicKey } from '../server/createWebhook.js';
import { apiPrivateKey } from '../server/startUpstream.js';

/** A backend as a partner runs several of, by what is built. */
export interface RampInstance {
  readonly url: string;
  /** Begins to sync. */
  start(): void;
  /** Ends the process as a fault would, at once. */
  kill(): Promise<void>;
  /** Whether it has ended. */
  hasEnded(): boolean;
  /** Suspends the process: its connections stay open and it answers nothing. */
  freeze(): void;
  resume(): void;
  /** The keys with which its callback was called, when it `books`. */
  readonly calls: readonly string[];
}

export interface InstanceOptions {
  /** What it calls itself: its partner ID in requests, and beside each delivery. */
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
  // What is written to a process that was killed is lost.
  child.stdin.on('error', () => {});
  const closed = once(child, 'close');
  const said = await Promise.race([once(child.stdout, 'data'), closed]);
  const url = `${said[0]}`.trim();
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
