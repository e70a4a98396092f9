/**
 * Limits that PostgreSQL itself enforces on each transaction, in whole milliseconds. A limit that only the
 * client knows ends nothing: the server would keep the transaction, and its locks, after the client left.
 */
export interface TransactionLimits {
  /**
   * How long a statement waits for a lock before the transaction is retried, five times in all. Keep it
   * below the `query_timeout` of the pool. @default 2000
   */
  readonly lockMs: number;
  /** How long a statement may run. @default 5000 */
  readonly statementMs: number;
  /** How long the server keeps a transaction whose client is silent: frozen, or lost. @default 5000 */
  readonly idleMs: number;
}

export const DEFAULT_LIMITS: TransactionLimits = { lockMs: 2000, statementMs: 5000, idleMs: 5000 };
