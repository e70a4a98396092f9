import type { Order } from '../../../protocol/api/resources.js';
import { createConfigError } from '../../../protocol/errors/RampError.js';
import { flag, func, type OptionReader, readOptions, seconds } from '../../internal/options.js';
import { getSeconds, type Runtime, withClock } from '../../internal/runtime.js';
import { getUnsettledSince, type OrderRecord } from './OrderRecord.js';

/** Options of {@link OrderStore.eraseSubject}. */
export interface EraseOptions {
  /**
   * Whether the orders stay whole, for example because tax law requires it. Everything else of their checkouts is
   * erased. To erase these orders later, call `eraseSubject` again without this option. @default false
   */
  readonly keepOrders?: boolean | undefined;
  /**
   * The IDs of orders that your staff still handles. Their checkouts stay until you call `eraseSubject` again without
   * these IDs. You need not name a quarantined order: it is an open case until `resolveOrder` is called for it.
   */
  readonly openCases?: readonly string[] | undefined;
  /**
   * How long a checkout waits for a payment or settlement before it is erased nevertheless. Pass the same value as to
   * your tracker, whose purge uses it too.
   *
   * @default 3024000, five weeks
   */
  readonly retentionSeconds?: number | undefined;
  /** Returns the current time in milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** The result of {@link OrderStore.eraseSubject}. */
export interface ErasureResult {
  /** The number of checkouts that this call erased, including those whose orders stay. */
  readonly erased: number;
  /** The checkouts that still have data of the subject. Empty once everything is erased. */
  readonly kept: readonly KeptCheckout[];
}

/** A checkout that still has data of the subject. */
export interface KeptCheckout {
  readonly reference: string;
  /** The IDs of its orders, oldest first. */
  readonly orderIds: readonly string[];
  readonly reason: KeptReason;
  /**
   * The latest time at which the reason ends, Unix seconds. The next full sync after that erases the checkout. Absent
   * if the reason ends only when you deliver the change, close the case, or no longer keep the orders.
   */
  readonly until?: number | undefined;
}

/**
 * Why a checkout was not erased.
 *
 * - `delivery`: a change has not been handled yet.
 * - `case`: your staff still handles an order.
 * - `settlement`: an NFT order is not settled yet.
 * - `payment`: the checkout may still be paid, or its order has an unknown state and may still be delivered.
 * - `orders`: `keepOrders` keeps its orders. The rest is erased.
 */
export type KeptReason = 'delivery' | 'case' | 'settlement' | 'payment' | 'orders';

const OWNER = 'eraseSubject';
const RETENTION_SECONDS = 35 * 86_400;

/** A validated call of `eraseSubject`, or the request with which a purge finishes it. */
export interface ErasureRequest {
  readonly keepOrders: boolean;
  readonly openCases: ReadonlySet<string>;
  /** Unix seconds. A missing settlement or payment no longer keeps a checkout if the wait began before this time. */
  readonly before: number;
  readonly retentionSeconds: number;
}

/** @throws RampError `ERR_CONFIG_INVALID` */
export function parseErasure(
  subject: unknown,
  options: EraseOptions | undefined,
  runtime: Runtime,
): ErasureRequest {
  if (typeof subject !== 'string' || subject === '')
    throw createConfigError(
      OWNER,
      'needs the subject that your policy grants: text, such as String(user.id).',
    );
  const { now, ...read } = readOptions(OWNER, options, {
    keepOrders: flag(false),
    openCases: orderIds,
    retentionSeconds: seconds(RETENTION_SECONDS),
    now: func<() => number>(),
  });
  return { ...read, before: getSeconds(withClock(runtime, now)) - read.retentionSeconds };
}

const orderIds: OptionReader<ReadonlySet<string>> = (value, { name, refuse }) => {
  if (value == null) return new Set();
  if (Array.isArray(value) && value.every((id) => typeof id === 'string')) return new Set(value);
  return refuse(`expects an array of order IDs as ${name}.`);
};

/** Returns the request with which a purge finishes the erasure of a marked checkout. */
export const toPurgeRequest = (before: number, keepOrders: boolean): ErasureRequest => ({
  keepOrders,
  openCases: new Set(),
  before,
  retentionSeconds: RETENTION_SECONDS,
});

export interface ErasableCheckout {
  readonly reference: string;
  /** Unix seconds. */
  readonly expiresAt: number;
  readonly isOpened: boolean;
  /** Oldest first. */
  readonly orders: readonly OrderRecord[];
  /** Whether a change of an order is not delivered yet. */
  readonly isUndelivered: boolean;
}

/**
 * What to do with a checkout.
 *
 * - `erase`: erase it and its orders.
 * - `strip`: erase everything but its orders.
 * - `mark`: leave it, and let the purge erase it later.
 * - `leave`: leave it until `eraseSubject` is called again.
 */
export interface ErasurePlan {
  readonly action: 'erase' | 'strip' | 'mark' | 'leave';
  /** Absent if nothing stays. */
  readonly kept?: KeptCheckout | undefined;
}

export function planErasure(checkout: ErasableCheckout, request: ErasureRequest): ErasurePlan {
  const { reference, orders } = checkout;
  const { openCases, before, retentionSeconds } = request;
  const toKept = (reason: KeptReason, since?: number): KeptCheckout => ({
    reference,
    orderIds: orders.map(({ order }) => order.orderId),
    reason,
    ...(since !== undefined && { until: since + retentionSeconds }),
  });
  if (checkout.isUndelivered) return { action: 'mark', kept: toKept('delivery') };
  if (orders.some(({ order }) => openCases.has(order.orderId)))
    return { action: 'leave', kept: toKept('case') };
  if (orders.some(isUnresolved)) return { action: 'mark', kept: toKept('case') };
  const unsettledSince = findLatest(orders.map(getUnsettledSince));
  const unpaidSince = findUnpaidSince(checkout);
  const since = findLatest([unsettledSince, unpaidSince]);
  if (since !== undefined && since >= before) {
    const isUnsettled = unsettledSince !== undefined && unsettledSince >= before;
    return { action: 'mark', kept: toKept(isUnsettled ? 'settlement' : 'payment', since) };
  }
  if (request.keepOrders && orders.length > 0) return { action: 'strip', kept: toKept('orders') };
  return { action: 'erase' };
}

const isUnresolved = ({ matchStatus, resolution }: OrderRecord): boolean =>
  matchStatus === 'quarantined' && resolution === undefined;

/**
 * Returns the time from which the retention of a checkout counts: its expiry if it may still be paid, or the last
 * change of an order in an unknown state. Returns undefined if neither applies.
 */
function findUnpaidSince({ expiresAt, isOpened, orders }: ErasableCheckout): number | undefined {
  if (orders.length === 0) return isOpened ? expiresAt : undefined;
  return findLatest(
    orders.map(({ order, changedAt }) => (order.state === 'unknown' ? changedAt : undefined)),
  );
}

function findLatest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
}

/** Returns the record of an order of an erased checkout: without wallet, user, transaction and reference. */
export const toErasedRecord = ({
  order,
  firstSeenAt,
  changedAt,
}: Pick<OrderRecord, 'order' | 'firstSeenAt' | 'changedAt'>): OrderRecord => ({
  matchStatus: 'erased',
  order: toErasedOrder(order),
  firstSeenAt,
  changedAt,
});

function toErasedOrder({ orderId, orderStatus, kind, state, ...order }: Order): Order {
  const { payTime, deliverTime, finishTime } = order;
  const { fiatCurrency, currencyAmount } = order;
  const { cryptoCurrency, cryptoCurrencyCode, cryptoCurrencyAmount } = order;
  const { gasFee, gasFeeUnit, platformFee, platformFeeUnit, totalFee, totalFeeUnit } = order;
  const times = { payTime, deliverTime, finishTime };
  const amounts = {
    fiatCurrency,
    currencyAmount,
    cryptoCurrency,
    cryptoCurrencyCode,
    cryptoCurrencyAmount,
    gasFee,
    gasFeeUnit,
    platformFee,
    platformFeeUnit,
    totalFee,
    totalFeeUnit,
  };
  const known = Object.entries({ ...times, ...amounts }).filter(([, value]) => value !== undefined);
  return { orderId, orderStatus, kind, state, ...Object.fromEntries(known), nftDetails: [] };
}
