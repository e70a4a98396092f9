import { setImmediate, setTimeout } from 'node:timers/promises';

const PATIENCE_MS = 10_000;
const MAX_PAUSE_MS = 20;

let turn: Promise<unknown> = Promise.resolve();

/**
 * Runs a transaction of SQLite when no other of this process does: its drivers block the event loop while they wait,
 * and whom they wait for would never come to an end. Others have their turn before each, and it is tried
 * again when another process kept the file for long.
 */
export function retryWhileBusy<Result>(transaction: () => Promise<Result>): Promise<Result> {
  const mine = turn.then(() => retryTransaction(transaction));
  turn = mine.catch(() => {});
  return mine;
}

async function retryTransaction<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (const end = Date.now() + PATIENCE_MS; ; ) {
    await setImmediate();
    try {
      return await transaction();
    } catch (error) {
      if (!isBusy(error) || Date.now() > end) throw error;
    }
    await setTimeout(Math.random() * MAX_PAUSE_MS);
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && `${error.code}`.startsWith('SQLITE_BUSY');
