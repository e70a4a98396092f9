import { sql } from 'kysely';
import type { OperatorShop } from 'operator-page';
import type { ShopDatabase } from '../database/openDatabase.js';
import { listings } from '../prints/listings.js';
import { formatShopper } from '../session/Shopper.js';

/** The tag of a shopper: the first six characters of the shopper's ID, which `formatShopper` shows. */
const SHOPPER_TAG = /^[\w-]{6}$/;
const MAX_SHOPPERS = 5;

/** What the operator page needs to know of this shop. */
export function operatorShop({ db }: Pick<ShopDatabase, 'db'>): OperatorShop {
  return {
    titleOf: ({ widget, item }) =>
      widget === 'nft' ? (listings.find(({ id }) => id === item)?.title ?? 'NFT') : 'Top-up',
    shopperName: formatShopper,
    /** Finds the shoppers with this tag who have paid an order. */
    async findShoppers(tag) {
      if (!SHOPPER_TAG.test(tag)) return [];
      const subjects = new Set<string>();
      for (const table of ['shop_deliveries', 'shop_cases', 'shop_failures'] as const) {
        const rows = await db
          .selectFrom(table)
          .select('subject')
          .distinct()
          .where(sql<string>`substr(subject, 1, ${sql.lit(tag.length)})`, '=', tag)
          .limit(MAX_SHOPPERS)
          .execute();
        for (const { subject } of rows) if (subject) subjects.add(subject);
      }
      return [...subjects].slice(0, MAX_SHOPPERS);
    },
    async findDeliveries(orderIds) {
      const rows = await db
        .selectFrom('shop_deliveries')
        .select(['order_id', 'delivered_at'])
        .where('order_id', 'in', orderIds)
        .execute();
      return new Map(rows.map(({ order_id, delivered_at }) => [order_id, Number(delivered_at)]));
    },
  };
}
