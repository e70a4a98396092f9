import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { createConfigError } from '../../../protocol/errors/createConfigError.js';

const PATIENCE_MS = 10_000;
const MAX_PAUSE_MS = 20;

let turn: Promise<unknown> = Promise.resolve();
/** The transaction in which the code runs, if any. */
const current = new AsyncLocalStorage<{ isOpen: boolean }>();

/**
 * Runs a SQLite transaction after the other transactions of this process: SQLite drivers block the event loop
 * while they wait for a lock, so a second transaction would deadlock the first. Other work of the event loop
 * runs before each transaction. A transaction is retried for 10 seconds while another process locks the file.
 *
 * @throws RampError `ERR_CONFIG_INVALID` inside another transaction, because it would wait for it forever.
 */
export async function retryWhileBusy<Result>(transaction: () => Promise<Result>): Promise<Result> {
  if (current.getStore()?.isOpen)
    throw createConfigError(
      'A SQLite transaction',
      'was started inside another one of the same process, so both would wait forever. In withTransaction use the connection that its callback receives, and call the order store after it.',
    );
  const run = () => {
    const state = { isOpen: true };
    return current
      .run(state, () => retryTransaction(transaction))
      .finally(() => {
        state.isOpen = false;
      });
  };
  const mine = turn.then(run);
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
