import type { Handler, Context as HonoContext } from 'hono';
import { isRampError } from '../../protocol/errors/isRampError.js';
import { RampError } from '../../protocol/errors/RampError.js';
import type {
  CheckoutProgress,
  CheckoutResponse,
  OrderSummary,
  PolledCheckout,
} from '../../protocol/handler/CheckoutResponse.js';
import { RequestError } from '../internal/errorResponses.js';
import { sendTaggedJson } from '../internal/jsonResponse.js';
import { isReference } from '../internal/reference.js';
import { getSeconds } from '../internal/runtime.js';
import type { OrderRecord } from '../orders/store/OrderRecord.js';
import type { CheckoutRecord } from '../orders/store/OrderStore.js';
import type { RampEnv } from './createRampApp.js';
import { findShopper } from './findShopper.js';
import type { HandlerSettings } from './options.js';
import type { Shopper } from './shopper.js';

/** Creates `GET /checkouts/:reference`: returns the state of a checkout to the subject that owns it. */
export function createStatusRoute<Context>(
  settings: HandlerSettings<Context>,
): Handler<RampEnv<Context>> {
  return async (c) => {
    const { checkout, shopper } = await findOwnCheckout(c, settings);
    const pollAfterSeconds = settings.countPoll(shopper.id);
    const state = { ...toCheckoutResponse(checkout, settings), pollAfterSeconds };
    return sendTaggedJson(c, state satisfies PolledCheckout);
  };
}

/**
 * Creates `POST /checkouts/:reference/opened`: records that the shopper has opened the checkout, so that
 * `GET /checkouts` lists it.
 */
export function createOpenedRoute<Context>(
  settings: HandlerSettings<Context>,
): Handler<RampEnv<Context>> {
  return async (c) => {
    const { checkout } = await findOwnCheckout(c, settings);
    const { reference, openedAt } = checkout;
    if (openedAt === undefined)
      await settings.store.markOpened(reference, getSeconds(settings.runtime));
    return c.body(null, 204);
  };
}

/** Creates the 404 error for a checkout that does not exist, or that the caller may not see. */
export const createNotFoundError = () =>
  new RequestError('ERR_CHECKOUT_NOT_FOUND', 'Checkout not found.');

/**
 * Finds the checkout that a request names, if it belongs to the caller. The checkout of another subject gets the same
 * 404 as a missing checkout. The reference is part of the widget's URL, so others may know it too.
 *
 * @throws RequestError `ERR_CHECKOUT_NOT_FOUND` when the checkout is missing or is not the caller's, `ERR_RATE_LIMITED`
 * when the caller sends too many requests.
 * @throws RampError `ERR_CONFIG_INVALID` when the result of `getShopper` has no id. A RampError of the store or of
 * `getShopper` is thrown unchanged; any other error becomes `ERR_INTERNAL`.
 */
export async function findOwnCheckout<Context>(
  c: HonoContext<RampEnv<Context>>,
  settings: HandlerSettings<Context>,
): Promise<{ readonly checkout: CheckoutRecord; readonly shopper: Shopper }> {
  const { store, countRequest } = settings;
  const reference = c.req.param('reference') ?? '';
  const found = await withReadError('The state of the checkout', async () => {
    const shopper = await findShopper(c, settings);
    if (!shopper || !isReference(reference)) return undefined;
    countRequest(shopper.id);
    // The store compares the subject before it reads orders, so that the time a 404 takes does not reveal whether the
    // checkout has orders.
    const checkout = await store.findCheckout(reference, { subject: shopper.id });
    return checkout?.subject === shopper.id ? { checkout, shopper } : undefined;
  });
  if (!found) throw createNotFoundError();
  return found;
}

/**
 * Runs a function that reads checkouts for a page.
 *
 * @param what - What the function reads. The error message begins with it.
 * @throws RampError `ERR_INTERNAL` instead of any error that is not a RampError, because its message may contain
 * details that clients must not see.
 */
export async function withReadError<Result>(
  what: string,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    if (isRampError(cause)) throw cause;
    const message = `${what} could not be read. Try again in a moment.`;
    throw new RampError('ERR_INTERNAL', message, { cause });
  }
}

/**
 * Returns the state of a checkout for its shopper. Leaves out the wallet, the user, the partner's data, and quarantined
 * orders except for their number.
 */
export function toCheckoutResponse(
  checkout: CheckoutRecord,
  { runtime }: Pick<HandlerSettings<never>, 'runtime'>,
): CheckoutResponse {
  const { reference, widget } = checkout;
  const orders = checkout.orders
    .filter(({ matchStatus }) => matchStatus === 'matched' || matchStatus === 'unknown')
    .map(toOrderSummary);
  const underReview = checkout.orders.filter(
    ({ matchStatus, resolution }) => matchStatus === 'quarantined' && !resolution,
  ).length;
  const isResolved = checkout.orders.every(({ resolution }) => resolution);
  const resolution = isResolved ? checkout.orders.at(-1)?.resolution : undefined;
  return {
    reference,
    widget,
    progress: findProgress(checkout, orders, getSeconds(runtime)),
    orders,
    ...(orders.length > 0 && underReview > 0 && { underReview }),
    ...(resolution && { resolution }),
  };
}

const RANK = ['unknown', 'finished', 'settlement', 'settled'] as const;

function findProgress(
  { expiresAt, outcome, announcedAt, orders: all }: CheckoutRecord,
  orders: readonly OrderSummary[],
  now: number,
): CheckoutProgress {
  const furthest = RANK.findLast((state) => orders.some((order) => order.state === state));
  if (furthest) return furthest === 'unknown' ? 'unconfirmed' : furthest;
  if (all.length > 0) return 'review';
  if (outcome === 'expired' || expiresAt <= now) return 'expired';
  // No sync sets the outcome while the service cannot list an announced order, and `waiting` would tell the shopper
  // "Not paid yet".
  return outcome ?? (announcedAt === undefined ? 'waiting' : 'unconfirmed');
}

function toOrderSummary({ order, changedAt }: OrderRecord): OrderSummary {
  const { state, fiatCurrency, currencyAmount, cryptoCurrency, cryptoCurrencyAmount } = order;
  const { network, payTime, deliverTime, finishTime, txHash = '' } = order;
  const transactionHash = HASH.test(txHash) ? txHash : undefined;
  const known = {
    orderId: order.orderId,
    fiatCurrency,
    currencyAmount,
    cryptoCurrency,
    cryptoCurrencyAmount,
    network,
    transactionHash,
    transactionUrl: transactionHash && getTransactionUrl(order.blockchainExplorer, transactionHash),
    payTime,
    deliverTime,
    finishTime,
    changedAt: /^settle/.test(state) ? changedAt : undefined,
  };
  return {
    state,
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
  };
}

/** Matches a hash that is safe in a URL and in text. */
const HASH = /^[A-Za-z0-9_-]+$/;

/** Returns the explorer's URL for a transaction if it is safe to link: https, without credentials. */
function getTransactionUrl(explorer = '', hash: string): string | undefined {
  try {
    const url = new URL(explorer + hash);
    return url.protocol === 'https:' && !url.username && !url.password ? url.href : undefined;
  } catch {
    return undefined;
  }
}
