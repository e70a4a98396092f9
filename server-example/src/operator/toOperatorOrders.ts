import type { OrderRecord } from '@partner-ramp/react/server';
import type { ShopDatabase } from '../database/ShopDatabase.js';
import { listings } from '../prints/listings.js';

/** An order on the operator page. Amounts are decimal strings, times Unix seconds. */
export interface OperatorOrder {
  readonly orderId: string;
  readonly matchStatus: OrderRecord['matchStatus'];
  readonly state: OrderRecord['order']['state'];
  readonly changedAt: number;
  readonly finishTime?: number | undefined;
  readonly reference?: string;
  /** The title of the print. Undefined for a top-up. */
  readonly title?: string | undefined;
  readonly paid: string;
  readonly bought: string;
  /** The state of the order in the shop. `needs-attention` and `handled` are the states of a case. */
  readonly fulfilment: 'delivered' | 'settled' | 'needs-attention' | 'handled' | 'none';
}

/** Converts order records to the orders of the operator page. */
export async function toOperatorOrders(
  db: ShopDatabase['db'],
  records: readonly OrderRecord[],
): Promise<OperatorOrder[]> {
  const fulfilments = await findFulfilments(
    db,
    records.map(({ order }) => order.orderId),
  );
  return records.map((record) => ({
    ...describeOrder(record),
    fulfilment: fulfilments.get(record.order.orderId) ?? 'none',
  }));
}

async function findFulfilments(
  db: ShopDatabase['db'],
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, OperatorOrder['fulfilment']>> {
  if (orderIds.length === 0) return new Map();
  const deliveries = await db
    .selectFrom('shop_deliveries')
    .select(['order_id', 'settled_at'])
    .where('order_id', 'in', orderIds)
    .execute();
  const cases = await db
    .selectFrom('shop_cases')
    .select(['order_id', 'handled_at'])
    .where('order_id', 'in', orderIds)
    .execute();
  return new Map<string, OperatorOrder['fulfilment']>([
    ...deliveries.map(
      ({ order_id, settled_at }) =>
        [order_id, settled_at === null ? 'delivered' : 'settled'] as const,
    ),
    ...cases.map(
      ({ order_id, handled_at }) =>
        [order_id, handled_at === null ? 'needs-attention' : 'handled'] as const,
    ),
  ]);
}

function describeOrder(record: OrderRecord): Omit<OperatorOrder, 'fulfilment'> {
  const { order, matchStatus, changedAt } = record;
  const { orderId, state, finishTime, nftDetails } = order;
  const [nft] = nftDetails;
  const title = nft && (listings.find(({ id }) => id === nft.merchantUniqueId)?.title ?? 'NFT');
  return {
    orderId,
    matchStatus,
    state,
    changedAt,
    finishTime,
    ...(record.matchStatus !== 'unmatched' && { reference: record.reference }),
    title,
    paid: `${order.currencyAmount ?? '?'} ${order.fiatCurrency ?? ''}`.trim(),
    bought: `${order.cryptoCurrencyAmount ?? '?'} ${order.cryptoCurrency ?? ''}`.trim(),
  };
}
