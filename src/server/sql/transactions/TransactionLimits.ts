/**
 * The limits of each transaction, in whole milliseconds. PostgreSQL itself enforces the first three. For them a
 * limit of the client would not be enough: the server would keep the transaction and its locks after the client
 * has disconnected.
 */
export interface TransactionLimits {
  /**
   * How long a statement waits for a lock before the transaction is retried, up to five attempts. Keep it below
   * the `query_timeout` of the pool. PostgreSQL only. @default 2000
   */
  readonly lockMs: number;
  /** How long a statement may run. PostgreSQL only. @default 5000 */
  readonly statementMs: number;
  /**
   * How long the server keeps the transaction of a client that is frozen or lost, or that sends no statement.
   * PostgreSQL only. @default 5000
   */
  readonly idleMs: number;
  /**
   * How long the callback of a transaction may run. Then the transaction is rolled back with `ERR_TIMEOUT`, and
   * the callback's connection refuses further statements. SQLite has no other limit. @default 10000
   */
  readonly workMs: number;
}

/** The default limits. */
export const DEFAULT_LIMITS: TransactionLimits = {
  lockMs: 2000,
  statementMs: 5000,
  idleMs: 5000,
  workMs: 10_000,
};
