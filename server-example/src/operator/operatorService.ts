import type { OrderRecord, OrderStore, OrderTracker, SyncReport } from '@partner-ramp/react/server';
import { withTransaction } from '@partner-ramp/react/server/sql';
import type { Database } from '../database/openDatabase.js';
import { listings } from '../prints/listings.js';
import type { WebhookCount, WebhookLog } from '../webhooks/createWebhookLog.js';

/** An order as the operator sees it. Amounts are decimal strings, times Unix seconds. */
interface OperatorOrder {
  readonly orderId: string;
  readonly matchStatus: OrderRecord['matchStatus'];
  readonly state: OrderRecord['order']['state'];
  readonly changedAt: number;
  readonly finishTime?: number | undefined;
  readonly reference?: string;
  /** What was bought: a print's title, or none for a top-up. */
  readonly title?: string | undefined;
  readonly paid: string;
  readonly bought: string;
  /** What the shop has done. `needs-attention`, `handled`: it is or was a case for the operator. */
  readonly fulfilment: 'delivered' | 'settled' | 'needs-attention' | 'handled' | 'none';
}

/** A paid order that somebody has to look at. */
interface OperatorCase {
  readonly orderId: string;
  readonly reference: string;
  /** A reason of a quarantine, or `sold-before`: somebody else's order for this print came first. */
  readonly reason: string;
  readonly field?: string;
  readonly openedAt: number;
  readonly order?: OperatorOrder;
}

interface OperatorOverview {
  readonly cases: readonly OperatorCase[];
  /** Beyond those that are listed. */
  readonly moreCases: number;
  readonly sync?: SyncReport | undefined;
  readonly webhooks: readonly WebhookCount[];
}

interface OrderQuery {
  readonly matchStatus?: OrderRecord['matchStatus'] | undefined;
  readonly changedAt?: number | undefined;
  readonly orderId?: string | undefined;
}

export interface OperatorService {
  readOverview(): Promise<OperatorOverview>;
  listOrders(query: OrderQuery): Promise<{ orders: OperatorOrder[]; isMore: boolean }>;
  /** Closes a case. Answers whether there is one. */
  closeCase(orderId: string): Promise<boolean>;
}

const PAGE = 20;
const MAX_CASES = 50;

interface OperatorServiceOptions {
  readonly database: Database;
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
  const { db } = database;

  /** What the shop has done with each of these orders. */
  async function findFulfilments(orderIds: readonly string[]) {
    if (orderIds.length === 0) return new Map<string, OperatorOrder['fulfilment']>();
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

  async function toOperatorOrders(records: readonly OrderRecord[]): Promise<OperatorOrder[]> {
    const done = await findFulfilments(records.map(({ order }) => order.orderId));
    return records.map((record) => ({
      ...describeOrder(record),
      fulfilment: done.get(record.order.orderId) ?? 'none',
    }));
  }

  async function listOpenCases(): Promise<OperatorCase[]> {
    const rows = await db
      .selectFrom('shop_cases')
      .selectAll()
      .where('handled_at', 'is', null)
      .orderBy('opened_at')
      .orderBy('order_id')
      .limit(MAX_CASES)
      .execute();
    return Promise.all(
      rows.map(async ({ order_id: orderId, reference, reason, field, opened_at }) => {
        const checkout = await store.findCheckout(reference);
        const record = checkout?.orders.find(({ order }) => order.orderId === orderId);
        const [order] = record ? await toOperatorOrders([record]) : [];
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
  }

  return {
    async readOverview() {
      const { count } = await db
        .selectFrom('shop_cases')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('handled_at', 'is', null)
        .executeTakeFirstOrThrow();
      const cases = await listOpenCases();
      return {
        cases,
        moreCases: Number(count) - cases.length,
        sync: tracker.report,
        webhooks: await webhookLog.listLatest(30),
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
        orders: await toOperatorOrders(records.slice(0, PAGE)),
        isMore: records.length > PAGE,
      };
    },
    async closeCase(orderId) {
      const [closed] = await withTransaction(database.db, (held) =>
        held
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
