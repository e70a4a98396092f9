import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { SqlOrderStore } from '../../../src/server/sql/index.js';

export interface RemoteStore {
  /** Forwards each call to the other process. `withSyncLease` runs a sync that never ends, so it keeps the lease. */
  readonly store: SqlOrderStore;
  /** Kills the process with SIGKILL. Calls without a response reject. */
  kill(): Promise<void>;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Starts a process with a SQL store of the built package, and returns a store that calls it. */
export function remoteStore(target: string): RemoteStore {
  const child = spawn(process.execPath, ['test/support/database/storeProcess.mjs', target], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let isGone = false;
  const createExitError = () => new Error('The process has exited.');
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, value, error } = JSON.parse(line);
    if (error === undefined) waiting.get(id)?.resolve(value);
    else waiting.get(id)?.reject(new Error(error));
    waiting.delete(id);
  });
  // Ignore errors of writes to a killed process.
  child.stdin.on('error', () => {});
  const closed = once(child, 'close').then(() => {
    isGone = true;
    for (const { reject } of waiting.values()) reject(createExitError());
    waiting.clear();
  });
  const ask =
    (method: string) =>
    (...args: unknown[]) =>
      new Promise((resolve, reject) => {
        if (isGone) return reject(createExitError());
        const id = ++lastId;
        waiting.set(id, { resolve, reject });
        child.stdin.write(`${JSON.stringify({ id, method, args })}\n`);
      });
  return {
    store: new Proxy({} as SqlOrderStore, { get: (_, method) => ask(String(method)) }),
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
