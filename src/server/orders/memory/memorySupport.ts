import type { Order } from '../../../protocol/api/resources.js';
import { getReference, toChangeKey, toChangeKeys, withResolution } from '../store/OrderRecord.js';
import {
  type CheckoutIntent,
  compareNewestFirst,
  type SupportStore,
  toPendingChange,
  type UndeliveredChange,
} from '../store/OrderStore.js';
import { appendEvent, copyData, type MemoryTables, toCheckoutRecord } from './memoryCheckouts.js';

export const memorySupport = (tables: MemoryTables): SupportStore => ({
  async search({ text, limit }) {
    if (text === '') return { checkouts: [], unmatched: [] };
    const { checkouts, records } = tables;
    const prefix = toLowerAscii(text);
    const begins = (name: string | undefined) =>
      name !== undefined && toLowerAscii(name).startsWith(prefix);
    const orders = [...records.values()].filter(({ order }) =>
      [order.orderId, getOrderWallet(order), order.txHash].some(begins),
    );
    const paid = new Set(orders.map(getReference));
    const found = [...checkouts.values()].filter(
      ({ intent, openedAt }) =>
        intent.reference === text ||
        paid.has(intent.reference) ||
        (openedAt !== undefined && [intent.reference, getIntentWallet(intent)].some(begins)),
    );
    found.sort((a, b) => compareNewestFirst(a.intent, b.intent));
    return {
      checkouts: found.slice(0, limit).map((checkout) => toCheckoutRecord(checkout, records)),
      unmatched: copyData(
        orders.filter((record) => !checkouts.has(getReference(record) ?? '')).slice(0, limit),
      ),
    };
  },
  async listUnpaidCheckouts({ after, before, limit }) {
    const unpaid = [...tables.checkouts.values()].filter(
      ({ intent, openedAt, announcedAt, orderIds, erasesOrders }) =>
        openedAt !== undefined &&
        announcedAt === undefined &&
        orderIds.size === 0 &&
        erasesOrders === undefined &&
        intent.createdAt < before &&
        (!after || compareNewestFirst(intent, after) < 0),
    );
    unpaid.sort((a, b) => compareNewestFirst(b.intent, a.intent));
    return copyData(unpaid.slice(0, limit).map(({ intent }) => intent));
  },
  async listUndelivered({ orderIds, limit }) {
    const keys = orderIds && new Set(listChangeKeys(tables, orderIds));
    const found = [...tables.changes.values()].filter(({ key }) => !keys || keys.has(key));
    return found.slice(0, limit).map(({ record, tries, notBefore }) => {
      const intent = tables.checkouts.get(getReference(record) ?? '')?.intent;
      const change = toPendingChange(record, intent, tries);
      return copyData({ ...change, notBefore } as UndeliveredChange);
    });
  },
  async retryUndelivered(orderIds) {
    const keys = listChangeKeys(tables, orderIds);
    const changes = keys.flatMap((key) => tables.changes.get(key) ?? []);
    for (const change of changes) Object.assign(change, { tries: 0, notBefore: 0 });
    return changes.length;
  },
  async resolveOrder(orderId, resolution, at) {
    // A loop, because the next delivery may begin before this call continues.
    while (tables.deliveries.has(orderId)) await tables.deliveries.get(orderId);
    const stored = tables.records.get(orderId);
    if (!stored) return undefined;
    const deliveredAt = tables.histories.get(orderId)?.deliveredAt;
    const resolved = { ...(deliveredAt !== undefined && { deliveredAt }) };
    if ((stored.resolution ?? null) === resolution) return resolved;
    const record = withResolution(stored, resolution);
    tables.records.set(orderId, record);
    // A change that failed may be delivered after the resolution, so it must carry the resolution too.
    for (const key of toChangeKeys(record)) {
      const change = tables.changes.get(key);
      if (change)
        tables.changes.set(key, { ...change, record: withResolution(change.record, resolution) });
    }
    const reference = getReference(record);
    appendEvent(tables, { at, ...(reference && { reference }), record });
    const key = toChangeKey(record);
    // Its change may have been handled while it was resolved, so that nothing would deliver it.
    if (resolution === null && !tables.changes.has(key))
      tables.changes.set(key, { key, record, tries: 0, notBefore: 0 });
    return resolved;
  },
});

const listChangeKeys = ({ records }: MemoryTables, orderIds: readonly string[]) =>
  orderIds.flatMap((id) => records.get(id) ?? []).flatMap(toChangeKeys);

/** Ignores the case of ASCII letters only, as the SQL store does. */
const toLowerAscii = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Returns the buyer's wallet. The `walletAddress` of an NFT is the partner's own. */
const getIntentWallet = ({ params }: CheckoutIntent): string | undefined =>
  params.transferWalletAddress ?? params.walletAddress;

const getOrderWallet = ({ nftDetails, walletAddress }: Order): string | undefined =>
  nftDetails[0]?.transferWalletAddress ?? walletAddress;
