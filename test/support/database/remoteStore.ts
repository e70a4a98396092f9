import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { OrderStore } from '../../../src/server/index.js';

export interface RemoteStore {
  /** What it is asked is answered by the other process; its `withSyncLease` never ends. */
  readonly store: OrderStore;
  /** Ends the process as a fault would, at once. What it has not acknowledged rejects. */
  kill(): Promise<void>;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A store in a process of its own, by what is built. */
export function remoteStore(target: string): RemoteStore {
  const child = spawn(process.execPath, ['test/support/database/storeProcess.mjs', target], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let isGone = false;
  const gone = () => new Error('The process is gone.');
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, value, error } = JSON.parse(line);
    if (error === undefined) waiting.get(id)?.resolve(value);
    else waiting.get(id)?.reject(new Error(error));
    waiting.delete(id);
  });
  // What is written to a process that was killed is lost.
  child.stdin.on('error', () => {});
  const closed = once(child, 'close').then(() => {
    isGone = true;
    for (const { reject } of waiting.values()) reject(gone());
    waiting.clear();
  });
  const ask =
    (method: string) =>
    (...args: unknown[]) =>
      new Promise((resolve, reject) => {
        if (isGone) return reject(gone());
        const id = ++lastId;
        waiting.set(id, { resolve, reject });
        child.stdin.write(`${JSON.stringify({ id, method, args })}\n`);
      });
  return {
    store: new Proxy({} as OrderStore, { get: (_, method) => ask(String(method)) }),
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
