import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { webhookPublicKey } from '../server/createWebhook.js';
import { apiPrivateKey } from '../server/startUpstream.js';

/** A process that runs an instance of a partner's backend with the built package. */
export interface RampInstance {
  readonly url: string;
  /** Lets the instance begin to sync. */
  start(): void;
  /** Kills the process with SIGKILL, and waits until it has ended. */
  kill(): Promise<void>;
  hasEnded(): boolean;
  /** Suspends the process with SIGSTOP. Its connections stay open, but it does not respond. */
  freeze(): void;
  resume(): void;
  /** The keys of all calls of `deliver` and `review`. Empty unless `books` is set. */
  readonly calls: readonly string[];
}

export interface InstanceOptions {
  /** Identifies the instance: the header `X-Instance` of its requests, and the column `instance` of each delivery. */
  readonly name: string;
  readonly target: string;
  readonly apiUrl: string;
  readonly allowedOrigins?: readonly string[];
  readonly pollSeconds?: number;
  /** Delivers into the tables `shop_bookings` and `shop_goods` instead of into `deliveries`. */
  readonly books?: boolean;
  /** If set, the instance uses a plain `pg.Pool` with these options instead of `postgresPool`. */
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
  // Ignore errors of writes to a killed process.
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
