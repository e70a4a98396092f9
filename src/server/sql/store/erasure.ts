import type { Selectable } from 'kysely';
import type { Order } from '../../../protocol/api/resources.js';
import { createConfigError } from '../../../protocol/errors/RampError.js';
import { getSeconds } from '../../internal/runtime.js';
import type { OrderHistory } from '../../orders/outcomes.js';
import {
  getUnsettledSince,
  type OrderRecord,
  toChangeKeys,
} from '../../orders/store/OrderRecord.js';
import type { Checkout } from '../../orders/store/OrderStore.js';
import type { OpenDatabase, SqlConnection } from '../SqlDatabase.js';
import { inChunks, type Tables, toKey } from '../schema.js';
import { withWriteLock } from '../transactions/withTransaction.js';
import { toHistory } from './deliveries.js';
import { toOrderRow, upsertOrders } from './orders.js';
import type { OpenCheckout, SqlOrderStore } from './SqlOrderStore.js';

/**
 * How many checkouts one transaction reads. The number is low, because other transactions have to wait, and SQLite
 * blocks the event loop.
 */
const BATCH = 100;

/** How long a payment or a settlement may take (docs/personal-data.md). */
const WAIT_SECONDS = 35 * 86_400;

export const erasure = (open: OpenDatabase): Pick<SqlOrderStore, 'eraseSubject'> => ({
  async eraseSubject(subject) {
    if (typeof subject !== 'string' || subject === '')
      throw createConfigError('eraseSubject', 'expects the subject of the checkouts, a text.');
    const database = await open();
    const since = getSeconds(database.runtime) - WAIT_SECONDS;
    const result = { erased: 0, open: [] as OpenCheckout[] };
    for (let after: number | undefined = 0; after !== undefined; ) {
      const last: number = after;
      after = await withWriteLock(database, async (db) => {
        const found = db
          .selectFrom('ramp_checkouts')
          .select(['id', 'reference', 'terms', 'expires_at', 'opened_at'])
          .where('subject', '=', toKey(subject))
          .where('id', '>', last)
          .orderBy('id')
          .limit(BATCH);
        // Lock the rows, because opening or announcing a checkout does not take the write lock.
        const rows = await (database.dialect === 'postgres' ? found.forUpdate() : found).execute();
        const checkouts = await readCheckouts(db, rows);
        // Compare the subject itself too, because a subject may equal the key of another subject.
        const own = checkouts.filter(({ checkout }) => checkout.subject === subject);
        const done = own.filter((checkout) => !isNeeded(checkout, since));
        const awaited = await findAwaitedNumbers(db, subject, done);
        const finished = done.filter(
          ({ checkout }) => !awaited.has(checkout.params.merchantOrderNo ?? ''),
        );
        await eraseCheckouts(db, finished);
        result.erased += finished.length;
        for (const checkout of own)
          if (!finished.includes(checkout)) result.open.push(toOpenCheckout(checkout));
        const lastOfFull = rows[BATCH - 1];
        return lastOfFull && Number(lastOfFull.id);
      });
    }
    return result;
  },
});

interface ErasableOrder extends OrderHistory {
  readonly record: OrderRecord;
  /** Whether one of its changes is neither delivered nor reviewed. */
  readonly isPending: boolean;
}

interface ErasableCheckout {
  readonly id: number | string;
  readonly checkout: Checkout;
  readonly isOpened: boolean;
  /** Oldest first. */
  readonly orders: readonly ErasableOrder[];
}

/** Returns whether a checkout is still needed. A wait that began before `since` counts as over. */
function isNeeded({ checkout, isOpened, orders }: ErasableCheckout, since: number): boolean {
  if (orders.length === 0) return isOpened && checkout.expiresAt >= since;
  return orders.some(
    (order) =>
      order.isPending ||
      isUndelivered(order) ||
      isUnderReview(order) ||
      (getUnsettledSince(order.record) ?? 0) >= since,
  );
}

/** Returns whether an order is matched, and still has to be delivered. */
const isUndelivered = ({ record, deliveredAt }: ErasableOrder): boolean =>
  record.matchStatus === 'matched' &&
  !record.isLaterOrder &&
  record.resolution === undefined &&
  deliveredAt === undefined;

/**
 * Returns whether a person was told to look at an order, and has not resolved it. A delivery settles earlier reviews.
 */
const isUnderReview = ({ record, deliveredAt, reviewedFor = [] }: ErasableOrder): boolean =>
  record.resolution === undefined &&
  (deliveredAt === undefined ? reviewedFor.length > 0 : reviewedFor.includes('status-after-end'));

/**
 * Returns the order numbers (of the partner's marketplace) under which the subject's other checkouts wait for an order.
 * If the paid checkout were gone, a second order without a reference would match one of these, and an NFT would be
 * delivered twice.
 */
async function findAwaitedNumbers(
  db: SqlConnection,
  subject: string,
  checkouts: readonly ErasableCheckout[],
): Promise<ReadonlySet<string>> {
  const numbers = checkouts.flatMap(({ checkout }) => checkout.params.merchantOrderNo ?? []);
  const ids = new Set(checkouts.map(({ id }) => Number(id)));
  const rows = await inChunks(numbers.map(toKey), (keys) =>
    db
      .selectFrom('ramp_checkouts')
      .select(['id', 'merchant_order_no'])
      .where('merchant_order_no', 'in', keys)
      .where('subject', '=', toKey(subject))
      .where('matched_order_id', 'is', null)
      .execute(),
  );
  const keys = new Set(
    rows.filter(({ id }) => !ids.has(Number(id))).map((row) => row.merchant_order_no),
  );
  return new Set(numbers.filter((number) => keys.has(toKey(number))));
}

const toOpenCheckout = ({ checkout, orders }: ErasableCheckout): OpenCheckout => ({
  reference: checkout.reference,
  orderIds: orders.map(({ record }) => record.order.orderId),
});

type CheckoutRow = Pick<
  Selectable<Tables['ramp_checkouts']>,
  'id' | 'reference' | 'terms' | 'expires_at' | 'opened_at'
>;

async function readCheckouts(
  db: SqlConnection,
  rows: readonly CheckoutRow[],
): Promise<ErasableCheckout[]> {
  const found = await inChunks(
    rows.map(({ reference }) => reference),
    (references) =>
      db
        .selectFrom('ramp_orders')
        .select(['order_id', 'reference', 'record'])
        .where('reference', 'in', references)
        .orderBy('id')
        .execute(),
  );
  const orders = found.map(({ record, ...row }) => ({
    ...row,
    record: JSON.parse(record) as OrderRecord,
  }));
  const keys = orders.flatMap(({ record }) => toChangeKeys(record).map(toKey));
  const pending = await inChunks(keys, (chunk) =>
    db.selectFrom('ramp_changes').select('key').where('key', 'in', chunk).execute(),
  );
  // Read the histories after the changes. PostgreSQL may end a delivery or review between two statements, and one that
  // is no longer pending must be in the history.
  const histories = await inChunks(
    orders.map((order) => order.order_id),
    (ids) =>
      db
        .selectFrom('ramp_orders')
        .select(['order_id', 'delivered_at', 'reviewed_for'])
        .where('order_id', 'in', ids)
        .execute(),
  );
  const historyOf = new Map(histories.map((row) => [row.order_id, toHistory(row)]));
  const pendingKeys = new Set(pending.map(({ key }) => key));
  return rows.map(({ id, reference, terms, opened_at }) => ({
    id,
    checkout: JSON.parse(terms),
    isOpened: opened_at !== null,
    orders: orders
      .filter((order) => order.reference === reference)
      .map(({ order_id, record }) => ({
        record,
        ...historyOf.get(order_id),
        isPending: toChangeKeys(record).some((key) => pendingKeys.has(toKey(key))),
      })),
  }));
}

async function eraseCheckouts(
  db: SqlConnection,
  checkouts: readonly ErasableCheckout[],
): Promise<void> {
  const rows = checkouts.flatMap(({ orders }) =>
    orders.map(({ record }) => toOrderRow(toErasedRecord(record))),
  );
  await inChunks(rows, (chunk) => upsertOrders(db, chunk));
  const ids = checkouts.map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom('ramp_checkouts').where('id', 'in', ids).execute();
}

/** Returns the record of an erased order: without the reference, wallet, user or transaction. */
const toErasedRecord = ({ order, firstSeenAt, changedAt }: OrderRecord): OrderRecord => ({
  matchStatus: 'erased',
  order: toErasedOrder(order),
  firstSeenAt,
  changedAt,
});

function toErasedOrder({ orderId, orderStatus, kind, state, ...order }: Order): Order {
  const { payTime, deliverTime, finishTime } = order;
  const { fiatCurrency, currencyAmount } = order;
  const { cryptoCurrency, cryptoCurrencyCode, cryptoCurrencyAmount } = order;
  const { gasFee, gasFeeUnit, platformFee, platformFeeUnit, totalFee, totalFeeUnit } = order;
  const times = { payTime, deliverTime, finishTime };
  const amounts = {
    fiatCurrency,
    currencyAmount,
    cryptoCurrency,
    cryptoCurrencyCode,
    cryptoCurrencyAmount,
    gasFee,
    gasFeeUnit,
    platformFee,
    platformFeeUnit,
    totalFee,
    totalFeeUnit,
  };
  const known = Object.entries({ ...times, ...amounts }).filter(([, value]) => value !== undefined);
  return { orderId, orderStatus, kind, state, ...Object.fromEntries(known), nftDetails: [] };
}
