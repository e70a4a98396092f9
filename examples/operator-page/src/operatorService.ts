import { setTimeout as delay } from 'node:timers/promises';
import type { CheckoutRecord, OrderRecord, Ramp, SyncStatus } from '@partner-ramp/react/server';
import type { OrderCursor, SqlOrderStore } from '@partner-ramp/react/server/sql';
import { type CaseResolution, type HandledCase, orderCases } from './cases.js';
import type { WebhookCount, WebhookLog } from './createWebhookLog.js';
import {
  getReference,
  LATE_SECONDS,
  type OperatorCheckout,
  type OperatorOrder,
  type OperatorShop,
  orderDescriber,
} from './describeOrder.js';
import type { OperatorDatabase } from './operatorTables.js';

interface OperatorOverview {
  /** The orders that need a person, the oldest case first. */
  readonly cases: readonly OperatorOrder[];
  /** The number of open cases that are not in `cases`. */
  readonly moreCases: number;
  /**
   * The last sync of any instance, and the next one. An order that the service lists late may be missing although it
   * finished before `syncedAt`.
   */
  readonly sync: SyncStatus;
  /** The number of webhooks that were refused within a day. */
  readonly refusedWebhooks: number;
  readonly webhooks: readonly WebhookCount[];
}

export const ORDER_FILTERS = [
  'all',
  'needs-attention',
  'delivered',
  'not-delivered',
  'handled',
] as const;

type OrderFilter = (typeof ORDER_FILTERS)[number];

interface OrderQuery {
  readonly filter?: OrderFilter | undefined;
  /** Together with `orderId`, the cursor of the page: `next` of the previous page. */
  readonly changedAt?: number | undefined;
  readonly orderId?: string | undefined;
}

interface OrderPage {
  readonly orders: readonly OperatorOrder[];
  /** The position of the next page. With a filter, a page may be short or empty although there is a next page. */
  readonly next?: { readonly changedAt: number; readonly orderId: string };
}

/** What a search found: checkouts with their orders, and orders that belong to no checkout. */
interface OperatorFindings {
  readonly checkouts: readonly OperatorCheckout[];
  readonly unmatched: readonly OperatorOrder[];
  /** Whether there may be more results. */
  readonly isCut: boolean;
}

/** A checkout, or an order that belongs to none, with everything that is known about it. */
interface OperatorDetails {
  readonly checkout?: OperatorCheckout;
  readonly order?: OperatorOrder;
  /** Other checkouts of the same shopper, the newest first. */
  readonly others: readonly OperatorCheckout[];
  readonly syncedAt?: number | undefined;
}

/**
 * The result of retrying a delivery. `pending`: the attempt follows later, because another instance is syncing or the
 * sync is slow. `not-found`: the order has no pending delivery.
 */
type RetryResult = 'delivered' | 'failed' | 'pending' | 'not-found';

export interface OperatorService {
  readOverview(): Promise<OperatorOverview>;
  listOrders(query: OrderQuery): Promise<OrderPage>;
  /** Finds the checkouts and orders that match any of these texts. */
  search(texts: readonly string[]): Promise<OperatorFindings>;
  readDetails(
    name: { reference: string } | { orderId: string },
  ): Promise<OperatorDetails | undefined>;
  handleCase(orderId: string, resolution: CaseResolution): Promise<HandledCase>;
  reopenCase(orderId: string, handledAt: number): Promise<boolean>;
  /**
   * Delivers an order now instead of at its next attempt.
   *
   * @throws the errors of the API and the store.
   */
  retryDelivery(orderId: string): Promise<RetryResult>;
  /**
   * Reads the order list of the service now. Resolves with false if another instance is syncing, or if the sync takes
   * longer than 8 seconds. A slow sync continues in the background.
   *
   * @throws the errors of the API and the store.
   */
  sync(): Promise<boolean>;
}

const PAGE = 20;
const MAX_CASES = 50;
const MAX_FOUND = 20;
const MAX_OTHERS = 6;
const MAX_WEBHOOK_COUNTS = 30;
/** The maximum number of orders that one request reads to fill a page of a filtered list. */
const MAX_READ = 500;
const DAY_SECONDS = 86_400;
const MAX_SYNC_MS = 8000;
interface OperatorServiceOptions {
  readonly database: OperatorDatabase;
  readonly store: SqlOrderStore;
  readonly ramp: Pick<Ramp, 'status' | 'sync'>;
  readonly shop: OperatorShop;
  readonly webhookLog: Pick<WebhookLog, 'listLatest' | 'countRefused'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function operatorService(options: OperatorServiceOptions): OperatorService {
  const { database, store, shop, ramp, webhookLog, now } = options;
  const getSeconds = () => Math.floor(now() / 1000);
  const cases = orderCases(database, store, now);
  const describer = orderDescriber(database, store, cases, shop, now);
  const { describeOrders, describeBriefly, describeCheckouts } = describer;

  async function findRecord(orderId: string): Promise<OrderRecord | undefined> {
    const { checkouts, unmatched } = await store.search({ text: orderId, limit: MAX_FOUND });
    const records = [...checkouts.flatMap(({ orders }) => orders), ...unmatched];
    return records.find(({ order }) => order.orderId === orderId);
  }

  /** Lists the orders with an open case, and those that the shop fails to deliver, the oldest case first. */
  async function listAttention(): Promise<{ orders: OperatorOrder[]; more: number }> {
    const open = await cases.listOpen(MAX_CASES);
    const late = (await store.listUndelivered({ limit: MAX_CASES * 2 })).filter(
      ({ record }) => record.changedAt <= getSeconds() - LATE_SECONDS,
    );
    const unmatched: OrderRecord[] = [];
    for (const { orderId, reference } of open) {
      const record = reference ? undefined : await findRecord(orderId);
      if (record) unmatched.push(record);
    }
    const references = new Set([
      ...open.flatMap(({ reference }) => reference || []),
      ...late.flatMap(({ checkout }) => checkout?.reference ?? []),
    ]);
    const checkouts: CheckoutRecord[] = [];
    for (const reference of references) {
      const checkout = await store.findCheckout(reference);
      if (checkout) checkouts.push(checkout);
    }
    const described = await describeCheckouts(checkouts);
    const orders = [
      ...described.flatMap((checkout) => checkout.orders),
      ...(await describeOrders(unmatched)),
    ]
      .filter(({ fulfilment }) => fulfilment === 'needs-attention')
      .sort((a, b) => getOpenedAt(a) - getOpenedAt(b));
    const more = Math.max(0, (await cases.countOpen()) - open.length);
    return { orders, more };
  }

  async function sync(): Promise<boolean> {
    const late = delay(MAX_SYNC_MS, { ran: false }, { ref: false });
    return (await Promise.race([ramp.sync(), late])).ran;
  }

  /** Finds what matches this text. If the text names a shopper, also finds the shopper's checkouts. */
  async function findText(text: string) {
    const { begin, end } = splitSearch(text);
    // The store searches only for the beginning of a shortened text (`begin…end`). Read more results, because most of
    // them will not match the end.
    const limit = end ? MAX_FOUND * 10 : MAX_FOUND;
    const found = await store.search({ text: begin, limit });
    const own: CheckoutRecord[] = [];
    if (!end)
      for (const subject of await shop.findShoppers(begin))
        own.push(...(await store.listCheckouts({ subject, limit: MAX_FOUND })).newest);
    return {
      checkouts: [...found.checkouts.filter((checkout) => !end || endsWith(checkout, end)), ...own],
      unmatched: found.unmatched.filter(({ order }) => !end || endsOrder(order, end)),
      isCut: Math.max(found.checkouts.length, found.unmatched.length) >= limit,
    };
  }

  async function scanOrders({
    filter = 'all',
    changedAt,
    orderId,
  }: OrderQuery): Promise<OrderPage> {
    const isWanted = FILTERS[filter];
    const isContinued = changedAt !== undefined && orderId !== undefined;
    let last: OrderCursor | undefined = isContinued ? { changedAt, order: { orderId } } : undefined;
    let hasMore = true;
    const wanted: OrderRecord[] = [];
    for (let read = 0; hasMore && read < MAX_READ && wanted.length < PAGE; read += PAGE) {
      const records = await store.listOrders({ limit: PAGE + 1, ...(last && { before: last }) });
      hasMore = records.length > PAGE;
      const orders = await describeBriefly(records.slice(0, PAGE));
      for (const [i, order] of orders.entries()) {
        const record = records[i];
        if (!record) continue;
        if (wanted.length === PAGE) {
          hasMore = true;
          break;
        }
        if (isWanted(order)) wanted.push(record);
        last = record;
      }
    }
    const orders = await describeOrders(wanted);
    if (!hasMore || !last) return { orders };
    return { orders, next: { changedAt: last.changedAt, orderId: last.order.orderId } };
  }

  return {
    async readOverview() {
      const { orders, more } = await listAttention();
      return {
        cases: orders,
        moreCases: more,
        sync: await ramp.status(),
        refusedWebhooks: await webhookLog.countRefused(getSeconds() - DAY_SECONDS),
        webhooks: await webhookLog.listLatest(MAX_WEBHOOK_COUNTS),
      };
    },
    async listOrders(query) {
      if (query.filter !== 'needs-attention') return scanOrders(query);
      return { orders: (await listAttention()).orders.reverse() };
    },
    async search(texts) {
      const checkouts = new Map<string, CheckoutRecord>();
      const unmatched = new Map<string, OrderRecord>();
      let isCut = false;
      for (const text of texts) {
        const found = await findText(text);
        for (const checkout of found.checkouts) checkouts.set(checkout.reference, checkout);
        for (const record of found.unmatched) unmatched.set(record.order.orderId, record);
        isCut ||= found.isCut;
      }
      return {
        checkouts: await describeCheckouts(
          [...checkouts.values()].sort((a, b) => b.createdAt - a.createdAt).slice(0, MAX_FOUND),
        ),
        unmatched: await describeOrders([...unmatched.values()].slice(0, MAX_FOUND)),
        isCut: isCut || Math.max(checkouts.size, unmatched.size) > MAX_FOUND,
      };
    },
    async readDetails(name) {
      const { syncedAt } = await ramp.status();
      const record = 'orderId' in name ? await findRecord(name.orderId) : undefined;
      const reference = 'reference' in name ? name.reference : record && getReference(record);
      const checkout = reference === undefined ? undefined : await store.findCheckout(reference);
      if (!checkout) {
        // The order belongs to no checkout, or to an erased checkout.
        const [order] = record ? await describeOrders([record]) : [];
        return order && { order, others: [], syncedAt };
      }
      const { newest } = await store.listCheckouts({
        subject: checkout.subject,
        limit: MAX_OTHERS + 1,
      });
      const others = newest.filter((one) => one.reference !== reference).slice(0, MAX_OTHERS);
      const [described, ...rest] = await describeCheckouts([checkout, ...others]);
      return described && { checkout: described, others: rest, syncedAt };
    },
    handleCase: cases.handle,
    reopenCase: cases.reopen,
    async retryDelivery(orderId) {
      // The shop does not deliver a resolved order.
      const list = async () =>
        (await store.listUndelivered({ orderIds: [orderId], limit: 10 })).filter(
          ({ record }) => !record.resolution,
        );
      if ((await list()).length === 0) return 'not-found';
      // This resets the number of failed attempts.
      await store.retryUndelivered([orderId]);
      // A sync delivers even if it cannot read the order list, so check the delivery before throwing the sync's error.
      const problem = await sync().then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      const left = await list();
      if (left.length === 0) return 'delivered';
      if (left.some(({ tries }) => tries > 0)) return 'failed';
      if (problem) throw problem.error;
      return 'pending';
    },
    sync,
  };
}

const getOpenedAt = (order: OperatorOrder): number => order.case?.openedAt ?? 0;

/** Returns whether the purchase was delivered, by the shop or by hand. Such an order may have a case too. */
const isDelivered = (order: OperatorOrder): boolean =>
  order.deliveredAt !== undefined || order.case?.outcome === 'delivered';

const FILTERS: Readonly<Record<OrderFilter, (order: OperatorOrder) => boolean>> = {
  all: () => true,
  'needs-attention': ({ fulfilment }) => fulfilment === 'needs-attention',
  delivered: isDelivered,
  'not-delivered': (order) => !isDelivered(order) && order.fulfilment !== 'handled',
  handled: ({ fulfilment }) => fulfilment === 'handled',
};

/**
 * Splits a searched text at an ellipsis, because shoppers copy shortened wallets such as `0xa099…5d26`. Ignores spaces
 * and the invisible marks of right-to-left texts, which come along when a text is copied.
 */
function splitSearch(text: string): { readonly begin: string; readonly end: string } {
  const plain = text.replace(/[\s\p{Cf}]/gu, '');
  const [begin = '', end = ''] = plain.split(/…|\.{2,}/, 2);
  return { begin, end: end.toLowerCase() };
}

const endsWith = ({ reference, params, orders }: CheckoutRecord, end: string): boolean =>
  [reference, params.walletAddress, params.transferWalletAddress].some((name) =>
    name?.toLowerCase().endsWith(end),
  ) || orders.some(({ order }) => endsOrder(order, end));

const endsOrder = (
  { orderId, walletAddress, txHash, nftDetails }: OrderRecord['order'],
  end: string,
): boolean =>
  [orderId, walletAddress, txHash, nftDetails[0]?.transferWalletAddress].some((name) =>
    name?.toLowerCase().endsWith(end),
  );
