import {
  type Checkout,
  type CheckoutRecord,
  findMismatch,
  type Mismatch,
  type OrderRecord,
  type OrderResolution,
} from '@partner-ramp/react/server';
import type { SqlOrderStore, UndeliveredChange } from '@partner-ramp/react/server/sql';
import type { OrderCases, StoredCase } from './cases.js';
import { type DeliveryFailure, findFailures } from './deliveryFailures.js';
import type { OperatorDatabase } from './operatorTables.js';

/**
 * The status of an order on the operator page. `processing`: the shop has not delivered the order yet. `retrying`: a
 * delivery failed. `needs-attention`: a case is open, or the order is still not delivered after LATE_SECONDS.
 * `unconfirmed`: the order is in a state that is not known to be paid. `unmatched`: the order belongs to no checkout of
 * this shop. `unrecorded`: the shop has neither a delivery nor a case, for example because it has erased the shopper.
 */
type Fulfilment =
  | 'delivered'
  | 'processing'
  | 'retrying'
  | 'needs-attention'
  | 'handled'
  | 'unconfirmed'
  | 'unmatched'
  | 'unrecorded';

/** An order on the operator page. Amounts are decimal strings, times Unix seconds. */
export interface OperatorOrder {
  readonly orderId: string;
  /** Absent for an order that belongs to no checkout. */
  readonly reference?: string;
  readonly title: string;
  readonly fulfilment: Fulfilment;
  readonly matchStatus: OrderRecord['matchStatus'];
  readonly state: OrderRecord['order']['state'];
  readonly paid: string;
  readonly bought: string;
  /** The wallet that the service sent the purchase to. */
  readonly wallet?: string;
  /** A name by which the operator can tell shoppers apart. Absent for an order that belongs to no checkout. */
  readonly shopper?: string;
  readonly recordedAt: number;
  readonly changedAt: number;
  readonly payTime?: number;
  readonly sentTime?: number;
  readonly finishTime?: number;
  readonly deliveredAt?: number;
  readonly settledAt?: number;
  readonly transaction?: { readonly hash: string; readonly url?: string };
  /** Why the order needs, or needed, a person, and what was done. */
  readonly case?: Omit<StoredCase, 'orderId' | 'reference'> & {
    /** What an operator did. Absent while the case is open. */
    readonly outcome?: OrderResolution;
  };
  /** The difference that quarantined the order. */
  readonly evidence?: Evidence;
  /**
   * How many attempts to deliver the order have failed, why the last of them failed, and the earliest time of the next
   * attempt. Absent once the order is delivered or handled by a person.
   */
  readonly delivery?: {
    readonly tries: number;
    readonly nextAttemptAt: number;
    readonly lastError?: Pick<DeliveryFailure, 'at' | 'message'>;
  };
  /** What an operator did about the order, which the shopper sees too. A later case may be open nevertheless. */
  readonly resolution?: OrderResolution;
}

/** A field of an order that differs from its checkout. */
type Evidence = Pick<Mismatch, 'expected' | 'actual'> & { readonly field: string };

/** A checkout on the operator page. Times are Unix seconds. */
export interface OperatorCheckout {
  readonly reference: string;
  readonly title: string;
  readonly shopper: string;
  /** The wallet that the purchase is for. */
  readonly wallet?: string;
  /** The amount that the checkout is for, if it is known before the payment. */
  readonly requested?: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly openedAt?: number;
  readonly announcedAt?: number;
  readonly outcome?: 'unconfirmed' | 'expired';
  /** Oldest first. */
  readonly orders: readonly OperatorOrder[];
}

/** The time in seconds after which an order that is not delivered yet needs a person. */
export const LATE_SECONDS = 60;

/** What the shop knows of its orders and shoppers. */
export interface OperatorShop {
  /** Returns what was sold. `item` is the `merchantUniqueId` of an NFT. */
  titleOf(sale: { readonly widget: 'on-ramp' | 'nft'; readonly item: string | undefined }): string;
  /** Returns a name by which the operator can tell shoppers apart. */
  shopperName(subject: string): string;
  /** Returns the shoppers that a text names, for the search. */
  findShoppers(text: string): Promise<readonly string[]>;
  /** Returns when each of these orders was delivered, Unix seconds, by order ID. */
  findDeliveries(orderIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** What is known about an order besides its record. */
interface OrderFacts {
  readonly checkout?: Checkout | undefined;
  readonly stored?: StoredCase | undefined;
  readonly deliveredAt?: number | undefined;
  readonly change?: UndeliveredChange | undefined;
  readonly failure?: DeliveryFailure | undefined;
}

export interface OrderDescriber {
  describeOrders(records: readonly OrderRecord[]): Promise<OperatorOrder[]>;
  /** Describes orders without the data of their checkouts, which is faster for selecting a few of many orders. */
  describeBriefly(records: readonly OrderRecord[]): Promise<OperatorOrder[]>;
  describeCheckouts(checkouts: readonly CheckoutRecord[]): Promise<OperatorCheckout[]>;
}

/** @param now - Milliseconds since 1970. */
export function orderDescriber(
  { db }: OperatorDatabase,
  store: Pick<SqlOrderStore, 'listUndelivered' | 'findCheckout'>,
  cases: Pick<OrderCases, 'find'>,
  shop: OperatorShop,
  now: () => number,
): OrderDescriber {
  async function describe(
    records: readonly OrderRecord[],
    findCheckout: (reference: string) => Checkout | undefined,
  ): Promise<OperatorOrder[]> {
    if (records.length === 0) return [];
    const orderIds = records.map(({ order }) => order.orderId);
    const deliveries = await shop.findDeliveries(orderIds);
    const stored = await cases.find(orderIds);
    const changes = new Map<string, UndeliveredChange>();
    // An order rarely has more changes than states. The oldest one says how long the shop has been trying.
    const limit = 10 * orderIds.length;
    for (const change of await store.listUndelivered({ orderIds, limit })) {
      const { orderId } = change.record.order;
      if (!changes.has(orderId)) changes.set(orderId, change);
    }
    const failures = await findFailures({ db }, orderIds);
    return records.map((record) => {
      const { orderId } = record.order;
      const reference = getReference(record);
      const facts = {
        checkout: reference === undefined ? undefined : findCheckout(reference),
        stored: stored.get(orderId),
        deliveredAt: deliveries.get(orderId),
        change: changes.get(orderId),
        failure: failures.get(orderId),
      };
      return describeOrder(record, facts, shop, Math.floor(now() / 1000));
    });
  }

  return {
    async describeOrders(records) {
      const references = new Set(records.flatMap((record) => getReference(record) ?? []));
      const found = new Map<string, Checkout | undefined>();
      for (const reference of references) found.set(reference, await store.findCheckout(reference));
      return describe(records, (reference) => found.get(reference));
    },
    describeBriefly: (records) => describe(records, () => undefined),
    async describeCheckouts(checkouts) {
      const found = new Map(checkouts.map((checkout) => [checkout.reference, checkout]));
      const orders = await describe(
        checkouts.flatMap((checkout) => checkout.orders),
        (reference) => found.get(reference),
      );
      return checkouts.map((checkout) => describeCheckout(checkout, orders, shop));
    },
  };
}

/** Returns the reference of the checkout of an order. An unmatched or erased order has none. */
export const getReference = (record: OrderRecord): string | undefined =>
  'reference' in record ? record.reference : undefined;

function describeOrder(
  record: OrderRecord,
  { checkout, stored, deliveredAt, change, failure }: OrderFacts,
  { titleOf, shopperName }: OperatorShop,
  now: number,
): OperatorOrder {
  const { order, matchStatus, firstSeenAt, changedAt, resolution } = record;
  const { orderId, state, payTime, deliverTime, finishTime, txHash } = order;
  const wallet = order.nftDetails[0]?.transferWalletAddress ?? order.walletAddress;
  const fulfilment = findFulfilment(record, { stored, deliveredAt, change }, now);
  const evidence = checkout && findEvidence(record, checkout);
  const reference = getReference(record);
  const { orderId: _, reference: __, ...storedCase } = stored ?? toUnstoredCase(record);
  const outcome = stored?.handledAt === undefined ? undefined : resolution;
  return {
    orderId,
    ...(reference !== undefined && { reference }),
    title: titleOf({ widget: order.kind, item: order.nftDetails[0]?.merchantUniqueId }),
    fulfilment,
    matchStatus,
    state,
    paid: formatAmount(order.currencyAmount, order.fiatCurrency),
    bought: formatAmount(order.cryptoCurrencyAmount, order.cryptoCurrency),
    ...(wallet && { wallet }),
    ...(checkout && { shopper: shopperName(checkout.subject) }),
    recordedAt: firstSeenAt,
    changedAt,
    ...(payTime && { payTime }),
    ...(deliverTime && { sentTime: deliverTime }),
    ...(finishTime && { finishTime }),
    ...(deliveredAt !== undefined && { deliveredAt }),
    // No state follows, so the record has changed for the last time.
    ...(state === 'settled' && { settledAt: changedAt }),
    ...(txHash && { transaction: toTransaction(txHash, order.blockchainExplorer) }),
    ...((stored || fulfilment === 'needs-attention') && {
      case: { ...storedCase, ...(outcome && { outcome }) },
    }),
    ...(evidence && { evidence }),
    ...(change &&
      deliveredAt === undefined &&
      stored?.handledAt === undefined && { delivery: describeDelivery(change, failure) }),
    ...(resolution && { resolution }),
  };
}

/**
 * Describes a delivery that fails. Prefers the shop's count of failed attempts: the store's count also rises when an
 * operator brings the next attempt forward.
 */
const describeDelivery = ({ tries, notBefore }: UndeliveredChange, failure?: DeliveryFailure) => ({
  tries: failure?.tries ?? tries,
  nextAttemptAt: notBefore,
  ...(failure && { lastError: { at: failure.at, message: failure.message } }),
});

/** Creates the case of an order whose delivery fails, or whose quarantine is not recorded as a case yet. */
const toUnstoredCase = (record: OrderRecord): StoredCase => ({
  orderId: record.order.orderId,
  reference: getReference(record) ?? '',
  reason: record.matchStatus === 'quarantined' ? record.reason : 'delivery',
  openedAt: record.changedAt,
});

function findFulfilment(
  { matchStatus, changedAt }: OrderRecord,
  { stored, deliveredAt, change }: OrderFacts,
  now: number,
): Fulfilment {
  if (stored) return stored.handledAt === undefined ? 'needs-attention' : 'handled';
  if (deliveredAt !== undefined) return 'delivered';
  if (matchStatus === 'unmatched') return 'unmatched';
  if (change && changedAt <= now - LATE_SECONDS) return 'needs-attention';
  if (change) return change.tries > 0 ? 'retrying' : 'processing';
  return matchStatus === 'unknown' ? 'unconfirmed' : 'unrecorded';
}

/** Returns the expected and the actual value of the field that quarantined an order. */
function findEvidence(record: OrderRecord, checkout: Checkout): Evidence | undefined {
  if (record.matchStatus !== 'quarantined') return undefined;
  const { reason, field = reason, order } = record;
  if (reason === 'second-order')
    return { field: reason, expected: 'one order', actual: order.orderId };
  const { field: differs = field, expected, actual } = findMismatch(order, checkout) ?? {};
  return { field: differs, expected, actual };
}

function describeCheckout(
  checkout: CheckoutRecord,
  described: readonly OperatorOrder[],
  { titleOf, shopperName }: OperatorShop,
): OperatorCheckout {
  const { reference, params, subject, createdAt, expiresAt, widget } = checkout;
  const { openedAt, announcedAt, outcome, orders } = checkout;
  const requested = findRequestedAmount(checkout);
  const wallet = params.transferWalletAddress ?? params.walletAddress;
  const ids = new Set(orders.map(({ order }) => order.orderId));
  return {
    reference,
    title: titleOf({ widget, item: params.merchantUniqueId }),
    shopper: shopperName(subject),
    ...(wallet && { wallet }),
    ...(requested && { requested }),
    createdAt,
    expiresAt,
    ...(openedAt !== undefined && { openedAt }),
    ...(announcedAt !== undefined && { announcedAt }),
    ...(outcome && { outcome }),
    orders: described.filter(({ orderId }) => ids.has(orderId)),
  };
}

/** Returns the amount that a checkout is for. The page proposes the amount of a top-up, so its format is checked. */
function findRequestedAmount(checkout: Checkout): string | undefined {
  const { widget, params, expectedAmount, expectedFiatCurrency } = checkout;
  if (expectedAmount) return formatAmount(expectedAmount, expectedFiatCurrency);
  if (widget === 'nft') return params.amount && formatAmount(params.amount, params.cryptoCurrency);
  const { amount, amountFixed = amount, ...terms } = { ...checkout.proposal, ...params };
  const { fiatCurrency, defaultFiatCurrency = fiatCurrency } = terms;
  const requested = formatAmount(amountFixed, defaultFiatCurrency);
  return /^\d{1,12}(?:\.\d{1,2})? [A-Z]{3}$/.test(requested) ? requested : undefined;
}

const formatAmount = (amount: string | undefined, currency: string | undefined): string =>
  `${amount ?? '?'} ${currency ?? ''}`.trim();

/** Links a transaction if the explorer's URL is safe to link: https, without credentials. */
function toTransaction(hash: string, explorer = '') {
  const link = /^[A-Za-z0-9_-]+$/.test(hash) ? explorer + hash : '';
  try {
    const { protocol, username, password, href } = new URL(link);
    const isSafe = protocol === 'https:' && !username && !password;
    return { hash, ...(isSafe && { url: href }) };
  } catch {
    return { hash };
  }
}
