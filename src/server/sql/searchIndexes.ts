import { sql } from 'kysely';
import type { SqlConnection, SqlDialect } from './SqlDatabase.js';

/** The expressions by which support finds checkouts and orders. Each has an index. */
interface SearchTerms {
  readonly reference: string;
  /** The buyer's wallet in a checkout. */
  readonly checkoutWallet: string;
  readonly orderId: string;
  /** The buyer's wallet in an order. */
  readonly orderWallet: string;
  readonly transaction: string;
}

/** Returns a PostgreSQL expression for the part of a text between the first `start` and the next `end` after it. */
const between = (text: string, start: string, end: string) =>
  `split_part(split_part(${text}, '${start}', 2), '${end}', 1)`;

/**
 * Returns a PostgreSQL expression for the first of these fields that a JSON text contains. The expression splits the
 * text instead of casting it to JSON: the cast fails for a text that contains an escaped NUL, and such an order would
 * make its whole page of the order list fail. A quotation mark within a value is escaped, so no value can imitate a
 * field. The value is truncated, because PostgreSQL cannot index a text of more than 2,704 bytes.
 */
const postgresValue = (text: string, ...fields: readonly string[]) =>
  `lower(left(coalesce(${fields.map((field) => `nullif(${between(text, `"${field}":"`, '"')}, '')`).join(', ')}), 300) collate "C")`;

const sqliteValue = (column: string, ...paths: readonly string[]) =>
  `lower(substr(coalesce(${paths.map((path) => `json_extract(${column}, '$.${path}')`).join(', ')}, null), 1, 300))`;

/**
 * The terms of each dialect. They are expressions, not columns, so that an erased row leaves nothing behind. An NFT
 * goes to `transferWalletAddress`; its `walletAddress` is the partner's own.
 */
export const searchTerms: Readonly<Record<SqlDialect, SearchTerms>> = {
  postgres: {
    reference: 'lower(reference collate "C")',
    checkoutWallet: postgresValue(
      between('terms', '"params":{', '"},"'),
      'transferWalletAddress',
      'walletAddress',
    ),
    orderId: 'lower(order_id collate "C")',
    orderWallet: postgresValue('record', 'transferWalletAddress', 'walletAddress'),
    transaction: postgresValue('record', 'txHash'),
  },
  sqlite: {
    reference: 'lower(reference)',
    checkoutWallet: sqliteValue('terms', 'params.transferWalletAddress', 'params.walletAddress'),
    orderId: 'lower(order_id)',
    orderWallet: sqliteValue(
      'record',
      'order.nftDetails[0].transferWalletAddress',
      'order.walletAddress',
    ),
    transaction: sqliteValue('record', 'order.txHash'),
  },
};

/**
 * Creates the indexes for `search`. Unopened checkouts are not indexed: resting the pointer on a button already creates
 * one, and that write should not pay for an index that only `search` needs.
 */
export async function createSearchIndexes(db: SqlConnection, dialect: SqlDialect): Promise<void> {
  const terms = searchTerms[dialect];
  const opened = 'where opened_at is not null';
  for (const definition of [
    `ramp_checkouts_search_reference on ramp_checkouts ((${terms.reference})) ${opened}`,
    `ramp_checkouts_search_wallet on ramp_checkouts ((${terms.checkoutWallet}), id desc) ${opened}`,
    `ramp_orders_search_id on ramp_orders ((${terms.orderId}))`,
    `ramp_orders_search_wallet on ramp_orders ((${terms.orderWallet}), id desc)`,
    `ramp_orders_search_transaction on ramp_orders ((${terms.transaction}))`,
  ])
    await sql`create index ${sql.raw(definition)}`.execute(db);
}
