import type { OrderToDeliver, OrderToReview, ReviewReason } from '@partner-ramp/react/server';
import type { ShopDatabase } from './database.js';

/**
 * Turns money into goods: gives the shopper what an order has paid for. Here that is a row in `purchases`, which the
 * page shows as "Added to your account". Your shop adds to a balance, unlocks a licence or queues a parcel.
 *
 * It is called with an order that the service lists as paid and that matches the terms of the policy's grant. A webhook
 * alone never leads here, because it can be forged or lost.
 *
 * `transaction` also records that the order is delivered. So the row is written exactly once, although the webhook and
 * each reading of the order list announce the same order. If this function throws, it is called again later.
 */
export async function deliver(order: OrderToDeliver, transaction: ShopDatabase): Promise<void> {
  const { orderId, checkout, cryptoCurrency, cryptoCurrencyAmount } = order;
  await transaction
    .insertInto('purchases')
    .values({
      order_id: orderId,
      shopper_id: checkout.subject, // who was signed in when the checkout was signed
      coin: cryptoCurrency ?? null,
      amount: cryptoCurrencyAmount ?? null, // decimal text: a number would lose digits
      delivered_at: Math.floor(Date.now() / 1000),
    })
    .execute();
  // An order that was reviewed because its checkout or its status was unknown may be delivered after all.
  await transaction.deleteFrom('reviews').where('order_id', '=', orderId).execute();
}

/**
 * Lets a person see an order that may be paid and must not be delivered, such as one with another wallet than the
 * policy granted. Never deliver here. Your staff find the row at GET /reviews, refund it or deliver it by hand, and
 * record that with `resolveOrder` (docs/orders.md). Until then the shopper reads that the order is under review.
 */
export async function review(
  order: OrderToReview,
  reason: ReviewReason,
  transaction: ShopDatabase,
): Promise<void> {
  const { key, orderId, checkout, field } = order;
  await transaction
    .insertInto('reviews')
    .values({
      key, // not the order ID, because an order can be reviewed for several reasons
      order_id: orderId,
      shopper_id: checkout?.subject ?? null, // null: the order belongs to no checkout of this shop
      reason,
      field: field ?? null,
      seen_at: Math.floor(Date.now() / 1000),
    })
    .execute();
  // The line only draws attention. It may be written twice, or before a rollback, so the row is what counts.
  console.error(`Order ${orderId} needs a person: ${reason}. See GET /reviews.`);
}

/** Returns what a shopper has received, newest first. */
export const listPurchases = (database: ShopDatabase, shopperId: string) =>
  database
    .selectFrom('purchases')
    .select(['order_id as orderId', 'coin', 'amount', 'delivered_at as deliveredAt'])
    .where('shopper_id', '=', shopperId)
    .orderBy('delivered_at', 'desc')
    .limit(20)
    .execute();

/** Returns the orders that need a person, oldest first. Only for your staff: it lists the orders of all shoppers. */
export const listReviews = (database: ShopDatabase) =>
  database.selectFrom('reviews').selectAll().orderBy('seen_at').limit(1000).execute();
