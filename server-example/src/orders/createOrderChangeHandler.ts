import type { CheckoutIntent, OrderRecord, PendingChange } from '@partner-ramp/react/server';
import { withTransaction } from '@partner-ramp/react/server/sql';
import type { Kysely } from 'kysely';
import type { ShopDatabase } from '../database/openDatabase.js';
import type { ShopTables } from '../database/shopTables.js';
import { toCheckoutRow } from './shopperOrders.js';

/** The reason of a case whose print was sold before, in addition to the reasons of a quarantine. */
const SOLD_BEFORE = 'sold-before';
/** The reason of a case whose checkout was paid before. */
const PAID_AGAIN = 'paid-again';

/**
 * Creates the handler that applies each order change once. The tracker delivers changes at least once, so
 * the key of a change is written in the same transaction as its effects. An effect outside of this
 * database, such as an e-mail or a parcel, needs an outbox table that is written here.
 *
 * @param now - Milliseconds since 1970.
 */
export function createOrderChangeHandler(database: ShopDatabase, now: () => number) {
  return ({ key, matchStatus, record, intent }: PendingChange): Promise<void> =>
    withTransaction(database.db, async (db) => {
      const at = Math.floor(now() / 1000);
      const [isNew] = await db
        .insertInto('shop_changes')
        .values({ key, at })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returning('key')
        .execute();
      if (!isNew) return;
      if (intent) await addShopperCheckout(db, intent);
      if (matchStatus === 'quarantined')
        await openCase(db, record, { reason: record.reason, field: record.field ?? null, at });
      else if (matchStatus === 'matched') await deliver(db, record, intent, at);
    });
}

/** Adds a checkout that the page did not record, for example because it was closed immediately. */
async function addShopperCheckout(db: Kysely<ShopTables>, intent: CheckoutIntent): Promise<void> {
  await db
    .insertInto('shop_checkouts')
    .values({ ...toCheckoutRow(intent), has_order: 1 })
    .onConflict((conflict) => conflict.column('reference').doUpdateSet({ has_order: 1 }))
    .execute();
}

async function deliver(
  db: Kysely<ShopTables>,
  record: OrderRecord & { readonly matchStatus: 'matched' },
  { params, subject, reference }: CheckoutIntent,
  at: number,
): Promise<void> {
  const { orderId: order_id, state } = record.order;
  const print_id = params.type === 'MARKET' ? params.merchantUniqueId : undefined;
  if (print_id && !(await recordSale(db, { print_id, order_id, subject })))
    return openCase(db, record, { reason: SOLD_BEFORE, field: null, at });
  await db
    .insertInto('shop_deliveries')
    .values({ order_id, reference, subject, delivered_at: at, settled_at: null })
    .onConflict((conflict) => conflict.column('order_id').doNothing())
    .execute();
  // The service has delivered the crypto, but the shopper may have paid twice by mistake.
  if (record.isLaterOrder) await openCase(db, record, { reason: PAID_AGAIN, field: null, at });
  if (state === 'settled')
    await db
      .updateTable('shop_deliveries')
      .set({ settled_at: at })
      .where('order_id', '=', order_id)
      .where('settled_at', 'is', null)
      .execute();
}

/** Records the sale of a print to its first finished order. Later payments for it must be refunded. */
async function recordSale(
  db: Kysely<ShopTables>,
  sale: { readonly print_id: string; readonly order_id: string; readonly subject: string },
): Promise<boolean> {
  await db
    .insertInto('shop_sold')
    .values(sale)
    .onConflict((conflict) => conflict.column('print_id').doNothing())
    .execute();
  const { order_id } = await db
    .selectFrom('shop_sold')
    .select('order_id')
    .where('print_id', '=', sale.print_id)
    .executeTakeFirstOrThrow();
  return order_id === sale.order_id;
}

async function openCase(
  db: Kysely<ShopTables>,
  { order, reference }: OrderRecord & { readonly reference: string },
  { at, ...why }: { readonly reason: string; readonly field: string | null; readonly at: number },
): Promise<void> {
  await db
    .insertInto('shop_cases')
    .values({ order_id: order.orderId, reference, ...why, opened_at: at, handled_at: null })
    .onConflict((conflict) => conflict.column('order_id').doNothing())
    .execute();
}
