import type { OrderStore } from '@partner-ramp/react/server';
import { withTransaction } from '@partner-ramp/react/server/sql';
import type { ShopDatabase } from '../database/ShopDatabase.js';
import { type OperatorOrder, toOperatorOrders } from './toOperatorOrders.js';

/** A paid order that needs the operator's attention. */
export interface OperatorCase {
  readonly orderId: string;
  readonly reference: string;
  /**
   * The reason of a quarantine; `sold-before`: another shopper paid for this print first; or `paid-again`: it is a
   * later order of one checkout.
   */
  readonly reason: string;
  readonly field?: string;
  readonly openedAt: number;
  readonly order?: OperatorOrder;
}

/** The cases in the database. */
interface OperatorCases {
  /** Returns the number of open cases. */
  countOpen(): Promise<number>;
  /** Returns open cases, the oldest first. */
  listOpen(limit: number): Promise<OperatorCase[]>;
  /** Closes a case. Returns whether there was an open one. */
  close(orderId: string): Promise<boolean>;
}

/** @param now - Milliseconds since 1970. */
export function operatorCases(
  database: ShopDatabase,
  store: Pick<OrderStore, 'findCheckout'>,
  now: () => number,
): OperatorCases {
  const { db } = database;

  async function findOrder(orderId: string, reference: string) {
    const checkout = await store.findCheckout(reference);
    const record = checkout?.orders.find(({ order }) => order.orderId === orderId);
    const [order] = record ? await toOperatorOrders(db, [record]) : [];
    return order;
  }

  return {
    async countOpen() {
      const { count } = await db
        .selectFrom('shop_cases')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('handled_at', 'is', null)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async listOpen(limit) {
      const rows = await db
        .selectFrom('shop_cases')
        .selectAll()
        .where('handled_at', 'is', null)
        .orderBy('opened_at')
        .orderBy('order_id')
        .limit(limit)
        .execute();
      return Promise.all(
        rows.map(async ({ order_id: orderId, reference, reason, field, opened_at }) => {
          const order = await findOrder(orderId, reference);
          const openedAt = Number(opened_at);
          return {
            orderId,
            reference,
            reason,
            openedAt,
            ...(field && { field }),
            ...(order && { order }),
          };
        }),
      );
    },
    async close(orderId) {
      const [closed] = await withTransaction(database.db, (db) =>
        db
          .updateTable('shop_cases')
          .set({ handled_at: Math.floor(now() / 1000) })
          .where('order_id', '=', orderId)
          .where('handled_at', 'is', null)
          .returning('order_id')
          .execute(),
      );
      return closed !== undefined;
    },
  };
}
