/**
 * The limits that PostgreSQL itself enforces on each transaction, in whole milliseconds. A limit of the client
 * would not be enough: the server would keep the transaction and its locks after the client has disconnected.
 */
export interface TransactionLimits {
  /**
   * How long a statement waits for a lock before the transaction is retried, up to five attempts. Keep it below
   * the `query_timeout` of the pool. @default 2000
   */
  readonly lockMs: number;
  /** How long a statement may run. @default 5000 */
  readonly statementMs: number;
  /** How long the server keeps the transaction of a client that is frozen or lost. @default 5000 */
  readonly idleMs: number;
}

/** The default limits. */
export const DEFAULT_LIMITS: TransactionLimits = { lockMs: 2000, statementMs: 5000, idleMs: 5000 };
