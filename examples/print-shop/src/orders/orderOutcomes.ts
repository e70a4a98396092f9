import type { OrderToDeliver, OrderToReview, ReviewReason } from '@partner-ramp/react/server';
import type { Kysely } from 'kysely';
import { closePassingCase, deleteFailure, openCase, recordFailure } from 'operator-page';
import type { ShopDatabase } from '../database/openDatabase.js';
import type { ShopTables } from '../database/shopTables.js';

/**
 * Creates `deliver` and `review` for `createRamp`. They write in the transaction that also records the order as
 * delivered. For an effect outside this database, such as an e-mail or a parcel, write a row to an outbox table here.
 *
 * If one of them fails, it is called again later, and `recordFailure` records the reason for the operator page. Call it
 * with the errors that `createRamp` reports, because only then has the transaction ended.
 *
 * @param now - Milliseconds since 1970.
 */
export function orderOutcomes(database: ShopDatabase, now: () => number) {
  const getSeconds = () => Math.floor(now() / 1000);
  const failed = new WeakMap<WeakKey, OrderToReview>();

  const watch = (order: OrderToReview, work: Promise<void>): Promise<void> =>
    work.catch((error) => {
      failed.set(Object(error), order);
      throw error;
    });

  return {
    deliver: (order: OrderToDeliver, db: Kysely<ShopTables>) =>
      watch(order, deliverOrder(db, order, getSeconds())),
    review: (order: OrderToReview, reason: ReviewReason, db: Kysely<ShopTables>) =>
      watch(order, reviewOrder(db, order, reason, getSeconds())),
    async recordFailure(error: unknown): Promise<void> {
      const order = failed.get(Object(error));
      if (order) await recordFailure(database, order, error, getSeconds());
    },
  };
}

async function deliverOrder(
  db: Kysely<ShopTables>,
  order: OrderToDeliver,
  at: number,
): Promise<void> {
  const { orderId: order_id, checkout } = order;
  const { params, subject } = checkout;
  await deleteFailure(db, order_id);
  const print_id = params.type === 'MARKET' ? params.merchantUniqueId : undefined;
  if (print_id && !(await recordSale(db, { print_id, order_id, subject })))
    return openCase(db, order, 'sold-before', at);
  await closePassingCase(db, order_id);
  await recordDelivery(db, order, at);
}

async function reviewOrder(
  db: Kysely<ShopTables>,
  order: OrderToReview,
  reason: ReviewReason,
  at: number,
): Promise<void> {
  await deleteFailure(db, order.orderId);
  // The service has already sent the crypto of a second order. But the shopper may have paid twice by mistake.
  const isPaidAgain = reason === 'second-order' && order.kind === 'on-ramp';
  if (isPaidAgain) await recordDelivery(db, order, at);
  await openCase(db, order, isPaidAgain ? 'paid-again' : reason, at);
}

async function recordDelivery(
  db: Kysely<ShopTables>,
  { orderId: order_id, checkout }: OrderToReview,
  delivered_at: number,
): Promise<void> {
  const { reference = '', subject = '' } = checkout ?? {};
  await db
    .insertInto('shop_deliveries')
    .values({ order_id, reference, subject, delivered_at })
    .execute();
}

/**
 * Records that a print is sold to the first finished order. Returns false for a later order of the same print, whose
 * payment must be refunded.
 */
async function recordSale(
  db: Kysely<ShopTables>,
  sale: { readonly print_id: string; readonly order_id: string; readonly subject: string },
): Promise<boolean> {
  const [sold] = await db
    .insertInto('shop_sold')
    .values(sale)
    .onConflict((conflict) => conflict.column('print_id').doNothing())
    .returning('order_id')
    .execute();
  return sold !== undefined;
}
