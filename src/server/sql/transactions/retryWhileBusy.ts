import { type Runtime, sleep } from '../../internal/runtime.js';
import { createNestedError, createSqliteQueue, currentTransaction } from './sqliteQueue.js';

/** Longer than the default limit of a transaction of another process that never ends. */
const PATIENCE_MS = 15_000;
const MAX_PAUSE_MS = 20;

/**
 * Runs a SQLite transaction after the other transactions of this process: SQLite drivers block the event loop
 * while they wait for a lock, so a second transaction would deadlock the first. Other work of the event loop
 * runs before each transaction. A transaction is retried for 15 seconds while another process locks the file.
 *
 * @throws RampError `ERR_CONFIG_INVALID` inside another transaction, because it would wait for it forever;
 * `ERR_TIMEOUT` after a wait of 15 seconds for other transactions.
 */
export async function retryWhileBusy<Result>(
  runtime: Runtime,
  transaction: () => Promise<Result>,
): Promise<Result> {
  if (currentTransaction.getStore()?.isOpen) throw createNestedError();
  return runtime.once(createSqliteQueue)(() => {
    const state = { isOpen: true };
    return currentTransaction
      .run(state, () => retryTransaction(runtime, transaction))
      .finally(() => {
        state.isOpen = false;
      });
  });
}

async function retryTransaction<Result>(
  runtime: Runtime,
  transaction: () => Promise<Result>,
): Promise<Result> {
  for (const end = runtime.monotonic() + PATIENCE_MS; ; ) {
    await new Promise<void>((next) => runtime.setImmediate(next));
    try {
      return await transaction();
    } catch (error) {
      if (!isBusy(error) || runtime.monotonic() > end) throw error;
    }
    await sleep(runtime, runtime.random() * MAX_PAUSE_MS);
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && `${error.code}`.startsWith('SQLITE_BUSY');
