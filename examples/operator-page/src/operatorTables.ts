import type { ColumnType, Kysely } from 'kysely';

/** A 64-bit integer, which PostgreSQL returns as text. */
type Whole = ColumnType<number | string, number, number>;

/** The operator page's tables, in the database that the shop shares with the order store. Times are Unix seconds. */
export interface OperatorTables {
  /** The last failure of each order that the shop could not deliver or review. Deleted once it has succeeded. */
  shop_failures: {
    order_id: string;
    /** Empty for an order that belongs to no checkout. */
    reference: string;
    subject: string;
    /** When the last attempt failed. */
    at: Whole;
    /** The code or class of the error, and its message, without secrets. */
    message: string;
    /** The number of failed attempts. */
    tries: Whole;
  };
  /** Orders that need, or needed, the operator. A failing delivery has no row until an operator handles it. */
  shop_cases: {
    order_id: string;
    reference: string;
    reason: string;
    field: string | null;
    opened_at: Whole;
    handled_at: Whole | null;
    /** Null for an order that belongs to no checkout. */
    subject: string | null;
    /** The operator's note, for colleagues only. What the operator did is the resolution of the order. */
    note: string | null;
  };
  /** Counts of webhooks. Rows older than 30 days are deleted. */
  shop_webhooks: { minute: Whole; outcome: string; reason: string; count: Whole };
  /** Sessions of the operator, by the hash of their token. */
  shop_operators: { token_hash: string; expires_at: Whole };
}

/** The database of the shop, as far as the operator page uses it. */
export interface OperatorDatabase {
  readonly db: Kysely<OperatorTables>;
}

/** Creates missing tables, one instance at a time: call it in a transaction that locks out the others. */
export async function createOperatorTables(db: Kysely<OperatorTables>): Promise<void> {
  await createTable(db, 'shop_failures')
    .addColumn('order_id', 'text', (id) => id.primaryKey().notNull())
    .addColumn('reference', 'text', (reference) => reference.notNull())
    .addColumn('subject', 'text', (subject) => subject.notNull())
    .addColumn('at', 'bigint', (time) => time.notNull())
    .addColumn('message', 'text', (message) => message.notNull())
    .addColumn('tries', 'bigint', (tries) => tries.notNull())
    .execute();
  await createTable(db, 'shop_cases')
    .addColumn('order_id', 'text', (id) => id.primaryKey().notNull())
    .addColumn('reference', 'text', (reference) => reference.notNull())
    .addColumn('reason', 'text', (reason) => reason.notNull())
    .addColumn('field', 'text')
    .addColumn('opened_at', 'bigint', (time) => time.notNull())
    .addColumn('handled_at', 'bigint')
    .addColumn('subject', 'text')
    .addColumn('note', 'text')
    .execute();
  await createTable(db, 'shop_webhooks')
    .addColumn('minute', 'bigint', (time) => time.notNull())
    .addColumn('outcome', 'text', (outcome) => outcome.notNull())
    .addColumn('reason', 'text', (reason) => reason.notNull())
    .addColumn('count', 'bigint', (count) => count.notNull())
    .addPrimaryKeyConstraint('shop_webhooks_key', ['minute', 'outcome', 'reason'])
    .execute();
  await createTable(db, 'shop_operators')
    .addColumn('token_hash', 'text', (hash) => hash.primaryKey().notNull())
    .addColumn('expires_at', 'bigint', (time) => time.notNull())
    .execute();
}

const createTable = ({ schema }: Kysely<OperatorTables>, name: keyof OperatorTables) =>
  schema.createTable(name).ifNotExists();
