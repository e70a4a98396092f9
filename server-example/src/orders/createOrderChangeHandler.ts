import type { CheckoutIntent, OrderRecord, PendingChange } from '@partner-ramp/react/server';
import { withTransaction } from '@partner-ramp/react/server/sql';
import type { Kysely } from 'kysely';
import type { ShopDatabase } from '../database/openDatabase.js';
import type { ShopTables } from '../database/shopTables.js';
import { type CaseReason, HandledNowError, isTakenOver, OPEN_QUESTIONS } from './cases.js';
import { deleteFailure, recordFailure } from './changeFailures.js';

/**
 * Creates the handler that applies each order change once. The tracker may deliver a change several times, so the key
 * of the change is stored in the same transaction as its effects. For an effect outside this database, such as an
 * e-mail or a parcel, write a row to an outbox table here.
 *
 * If the handler fails, it records the reason for the operator page, and the tracker calls it again later.
 *
 * @param now - Milliseconds since 1970.
 */
export function createOrderChangeHandler(database: ShopDatabase, now: () => number) {
  const apply = ({ key, matchStatus, record, intent }: PendingChange): Promise<void> =>
    withTransaction(database.db, async (db) => {
      const at = Math.floor(now() / 1000);
      const takenOver = await isTakenOver(db, record.order.orderId, at);
      await deleteFailure(db, key);
      const [isNew] = await db
        .insertInto('shop_changes')
        .values({ key, at })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returning('key')
        .execute();
      if (!isNew) return;
      if (matchStatus === 'matched') {
        // An operator may have refunded an order before its checkout was there.
        const isHandled = takenOver || (record.wasUnmatched && record.resolution);
        if (!isHandled) await deliver(db, record, intent, at);
      } else {
        const [reason, field = null] =
          matchStatus === 'quarantined' ? [record.reason, record.field] : [matchStatus];
        await openCase(db, record, intent, { reason, field, at });
      }
    });
  return async (change: PendingChange): Promise<void> => {
    try {
      await apply(change);
    } catch (error) {
      // Ignore a failure to record, so that the tracker reports the original error even if the database is down.
      if (!(error instanceof HandledNowError))
        await recordFailure(database, change, error, Math.floor(now() / 1000)).catch(() => {});
      throw error;
    }
  };
}

async function deliver(
  db: Kysely<ShopTables>,
  record: OrderRecord & { readonly matchStatus: 'matched' },
  intent: CheckoutIntent,
  at: number,
): Promise<void> {
  const { params, subject, reference } = intent;
  const { orderId: order_id, state } = record.order;
  const print_id = params.type === 'MARKET' ? params.merchantUniqueId : undefined;
  if (print_id && !(await recordSale(db, { print_id, order_id, subject })))
    return openCase(db, record, intent, { reason: 'sold-before', field: null, at });
  await db
    .deleteFrom('shop_cases')
    .where('order_id', '=', order_id)
    .where('reason', 'in', OPEN_QUESTIONS)
    .where('handled_at', 'is', null)
    .execute();
  await db
    .insertInto('shop_deliveries')
    .values({ order_id, reference, subject, delivered_at: at, settled_at: null })
    .onConflict((conflict) => conflict.column('order_id').doNothing())
    .execute();
  // A later order of the checkout is delivered too, because the service has already sent the crypto. But the shopper
  // may have paid twice by mistake, so open a case.
  if (record.isLaterOrder)
    await openCase(db, record, intent, { reason: 'paid-again', field: null, at });
  if (state === 'settled')
    await db
      .updateTable('shop_deliveries')
      .set({ settled_at: at })
      .where('order_id', '=', order_id)
      .where('settled_at', 'is', null)
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

/**
 * Opens a case, unless the order has one. A case without an answer gets the new reason. An unknown status opens a handled
 * case again, because the refund or the delivery by hand may be what it is about, or its opposite.
 */
async function openCase(
  db: Kysely<ShopTables>,
  { order }: OrderRecord,
  intent: CheckoutIntent | undefined,
  {
    at,
    ...why
  }: { readonly reason: CaseReason; readonly field: string | null; readonly at: number },
): Promise<void> {
  const opened = {
    reference: intent?.reference ?? '',
    subject: intent?.subject ?? null,
    ...why,
    opened_at: at,
    handled_at: null,
    outcome: null,
  };
  await db
    .insertInto('shop_cases')
    .values({ order_id: order.orderId, ...opened, note: null })
    .onConflict((conflict) =>
      conflict
        .column('order_id')
        .doUpdateSet(opened)
        .where((row) =>
          order.state === 'unknown'
            ? row('shop_cases.handled_at', 'is not', null)
            : row.and([
                row('shop_cases.handled_at', 'is', null),
                row('shop_cases.reason', 'in', OPEN_QUESTIONS),
              ]),
        ),
    )
    .execute();
}
