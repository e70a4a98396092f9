import type { OrderRecord, OrderStore, OrderTracker, SyncReport } from '@partner-ramp/react/server';
import { withTransaction } from '@partner-ramp/react/server/sql';
import type { ShopDatabase } from '../database/openDatabase.js';
import { listings } from '../prints/listings.js';
import type { WebhookCount, WebhookLog } from '../webhooks/createWebhookLog.js';

interface OperatorOverview {
  readonly cases: readonly OperatorCase[];
  /** The number of open cases that are not in `cases`. */
  readonly moreCases: number;
  readonly sync?: SyncReport | undefined;
  readonly webhooks: readonly WebhookCount[];
}

interface OrderQuery {
  readonly matchStatus?: OrderRecord['matchStatus'] | undefined;
  readonly changedAt?: number | undefined;
  readonly orderId?: string | undefined;
}

/** The data and the actions of the operator page. */
export interface OperatorService {
  readOverview(): Promise<OperatorOverview>;
  listOrders(query: OrderQuery): Promise<{ orders: OperatorOrder[]; isMore: boolean }>;
  /** Closes the case of an order. Returns false if the order has no open case. */
  closeCase(orderId: string): Promise<boolean>;
}

const PAGE = 20;
const MAX_CASES = 50;
const MAX_WEBHOOK_COUNTS = 30;

interface OperatorServiceOptions {
  readonly database: ShopDatabase;
  readonly store: OrderStore;
  readonly tracker: Pick<OrderTracker, 'report'>;
  readonly webhookLog: Pick<WebhookLog, 'listLatest'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function operatorService({
  database,
  store,
  tracker,
  webhookLog,
  now,
}: OperatorServiceOptions): OperatorService {
  const cases = operatorCases(database, store, now);
  return {
    async readOverview() {
      const count = await cases.countOpen();
      const listed = await cases.listOpen(MAX_CASES);
      return {
        cases: listed,
        moreCases: count - listed.length,
        sync: tracker.report,
        webhooks: await webhookLog.listLatest(MAX_WEBHOOK_COUNTS),
      };
    },
    async listOrders({ matchStatus, changedAt, orderId }) {
      const isContinued = changedAt !== undefined && orderId !== undefined;
      const records = await store.listOrders({
        limit: PAGE + 1,
        ...(matchStatus && { matchStatus }),
        ...(isContinued && { before: { changedAt, order: { orderId } } }),
      });
      return {
        orders: await toOperatorOrders(database.db, records.slice(0, PAGE)),
        isMore: records.length > PAGE,
      };
    },
    closeCase: cases.close,
  };
}

/** A paid order that needs the operator's attention. */
interface OperatorCase {
  readonly orderId: string;
  readonly reference: string;
  /**
   * The reason of the quarantine, or `sold-before` (an earlier order had already paid for this print), or
   * `paid-again` (the checkout already had an order).
   */
  readonly reason: string;
  readonly field?: string;
  readonly openedAt: number;
  readonly order?: OperatorOrder;
}

interface OperatorCases {
  countOpen(): Promise<number>;
  /** Returns open cases, the oldest first. */
  listOpen(limit: number): Promise<OperatorCase[]>;
  /** Closes the case of an order. Returns false if the order has no open case. */
  close(orderId: string): Promise<boolean>;
}

/** @param now - Milliseconds since 1970. */
function operatorCases(
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

/** An order on the operator page. Amounts are decimal strings, times Unix seconds. */
interface OperatorOrder {
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
  /**
   * What the shop has done with the order. `needs-attention` and `handled` mean that the order has an open or a
   * closed case.
   */
  readonly fulfilment: 'delivered' | 'settled' | 'needs-attention' | 'handled' | 'none';
}

async function toOperatorOrders(
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
