import type { Checkout, OrderStore } from '@partner-ramp/react/server';
import type { ShopDatabase } from '../database/openDatabase.js';
import { listings } from '../prints/listings.js';

/** What only the shop knows about a checkout: the print, and whether it was already sold to someone else. */
interface ShopperOrder {
  readonly reference: string;
  /** Undefined for a top-up. */
  readonly print?: { readonly number: string; readonly title: string; readonly quantity: number };
  /** Whether the shopper paid for a print that was already sold. */
  readonly isSoldBefore: boolean;
}

export interface ShopperOrders {
  /** Returns the checkouts with these references that belong to the shopper. All others are left out. */
  find(subject: string, references: readonly string[]): Promise<ShopperOrder[]>;
}

/** Finds only what the shop adds: the page gets the checkouts and their progress from the ramp handler. */
export function shopperOrders(
  { db }: Pick<ShopDatabase, 'db'>,
  store: Pick<OrderStore, 'findCheckout'>,
): ShopperOrders {
  return {
    async find(subject, references) {
      const found = await Promise.all(
        // With a subject, the store reads no orders for checkouts of other shoppers.
        [...new Set(references)].map((reference) => store.findCheckout(reference, { subject })),
      );
      const checkouts = found.flatMap((checkout) =>
        checkout?.subject === subject ? [checkout] : [],
      );
      if (checkouts.length === 0) return [];
      const cases = await db
        .selectFrom('shop_cases')
        .select('reference')
        .where('reason', '=', 'sold-before')
        // Skip handled cases, because the status of their checkout shows the outcome.
        .where('handled_at', 'is', null)
        .where(
          'reference',
          'in',
          checkouts.map(({ reference }) => reference),
        )
        .execute();
      const soldBefore = new Set(cases.map(({ reference }) => reference));
      return checkouts.map((checkout) => ({
        reference: checkout.reference,
        ...findPrint(checkout),
        isSoldBefore: soldBefore.has(checkout.reference),
      }));
    },
  };
}

function findPrint({ params }: Checkout): Pick<ShopperOrder, 'print'> {
  const listing = listings.find(({ id }) => id === params.merchantUniqueId);
  if (!listing) return {};
  const { number, title } = listing;
  return { print: { number, title, quantity: Number(params.mintQuantity ?? 1) } };
}
