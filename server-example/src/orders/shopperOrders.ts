import type { CheckoutIntent, OrderStore } from '@partner-ramp/react/server';
import { withTransaction } from '@partner-ramp/react/server/sql';
import type { ShopDatabase } from '../database/openDatabase.js';
import { listings } from '../prints/listings.js';

/** A checkout of a shopper. The page gets the progress of the checkout from the ramp handler, by its reference. */
interface ShopperOrder {
  readonly reference: string;
  /** Unix seconds. */
  readonly openedAt: number;
  /** Undefined for a top-up. */
  readonly print?: { readonly number: string; readonly title: string; readonly quantity: number };
  /** Whether the shopper paid for a print that was already sold. */
  readonly isSoldBefore: boolean;
}

export interface ShopperOrders {
  /**
   * Returns a page of the shopper's checkouts, newest first. Unpaid checkouts are omitted after two days. `before` is
   * the last reference of the previous page.
   */
  list(subject: string, before?: string): Promise<{ orders: ShopperOrder[]; isMore: boolean }>;
  /** Records a checkout that the page has opened. Returns whether it belongs to the shopper. */
  recordCheckout(reference: string, subject: string): Promise<boolean>;
}

const PAGE = 8;
const UNPAID_SECONDS = 2 * 86_400;

/** @param now - Milliseconds since 1970. */
export function shopperOrders(
  database: ShopDatabase,
  store: Pick<OrderStore, 'findCheckout'>,
  now: () => number,
): ShopperOrders {
  const { db } = database;
  return {
    async list(subject, before) {
      const since = Math.floor(now() / 1000) - UNPAID_SECONDS;
      let own = db
        .selectFrom('shop_checkouts as own')
        .leftJoin('shop_cases as problem', (join) =>
          join
            .onRef('problem.reference', '=', 'own.reference')
            .on('problem.reason', '=', 'sold-before'),
        )
        .select(['own.reference', 'own.print_id', 'own.quantity', 'own.opened_at'])
        .select(({ fn }) => fn.max('problem.reason').as('reason'))
        .where('own.subject', '=', subject)
        .where(({ or, eb }) => or([eb('own.has_order', '=', 1), eb('own.opened_at', '>', since)]))
        .groupBy(['own.reference', 'own.print_id', 'own.quantity', 'own.opened_at']);
      const last =
        before === undefined
          ? undefined
          : await db
              .selectFrom('shop_checkouts')
              .select(['opened_at', 'reference'])
              .where('reference', '=', before)
              .where('subject', '=', subject)
              .executeTakeFirst();
      if (last)
        own = own.where(({ eb, refTuple, tuple }) =>
          eb(
            refTuple('own.opened_at', 'own.reference'),
            '<',
            tuple(Number(last.opened_at), last.reference),
          ),
        );
      const rows = await own
        .orderBy('own.opened_at', 'desc')
        .orderBy('own.reference', 'desc')
        .limit(PAGE + 1)
        .execute();
      const orders = rows.slice(0, PAGE).map((row): ShopperOrder => {
        const listing = listings.find(({ id }) => id === row.print_id);
        return {
          reference: row.reference,
          openedAt: Number(row.opened_at),
          ...(listing && {
            print: { number: listing.number, title: listing.title, quantity: row.quantity },
          }),
          isSoldBefore: row.reason !== null,
        };
      });
      return { orders, isMore: rows.length > PAGE };
    },
    async recordCheckout(reference, subject) {
      const intent = (await store.findCheckout(reference))?.intent;
      if (intent?.subject !== subject) return false;
      await withTransaction(database.db, (connection) =>
        connection
          .insertInto('shop_checkouts')
          .values(toCheckoutRow(intent))
          .onConflict((conflict) => conflict.column('reference').doNothing())
          .execute(),
      );
      return true;
    },
  };
}

export const toCheckoutRow = ({ reference, subject, params, createdAt }: CheckoutIntent) => ({
  reference,
  subject,
  print_id: params.merchantUniqueId ?? null,
  quantity: Number(params.mintQuantity ?? 1),
  opened_at: createdAt,
  has_order: 0,
});
