import type { CheckoutRecord } from '../../src/server/orders/store/OrderStore.js';
import { isUserErased } from './journal.js';
import { areClocksRight } from './plan.js';
import type { ServiceOrder } from './service.js';
import type { ShopOptions } from './shop.js';
import type { WorldProcess } from './world.js';

/** The largest error of a clock with which the documents still promise something about signatures. */
export const MAX_SKEW_MS = 240_000;
/**
 * The longest time between the end of an order and its listing, together with the error of the clock, with which the
 * documents still promise something about the order. A short `lookbackSeconds` lowers the limit.
 */
const MAX_LATE_MS = 240_000;
/** How long an outdated list can affect a request. */
const STALE_MS = 30_000;

/**
 * Passes a request to an instance. If the request continues a checkout, the response is compared with what the store
 * and the service knew when the request began.
 */
export async function auditRequest(
  options: ShopOptions,
  process: WorldProcess,
  request: Request,
  handle: () => Promise<Response>,
): Promise<Response> {
  const reference = /\/checkouts\/([^/]+)\/continue$/.exec(request.url)?.[1];
  if (!reference) return handle();
  const { world, service, database, journal } = options;
  const startedAtMs = world.nowMs;
  const known = await database.find(reference);
  const announced = journal.webhooks.some(
    ({ webhook }) => webhook.order.payment.reference === reference,
  );
  const listed = service.orders.filter(
    (order) => order.payment.reference === reference && service.findListedStep(order, startedAtMs),
  );
  const response = await handle();
  if (process.isDead) return response;
  const { status } = response;
  if (status === 200) {
    if (isPaid(known) || announced || journal.knownAfterPolicy.has(request))
      world.violate('signed-known', `${reference} was signed, and the store knew its order`);
    const order = listed.find((one) => mustBeFound(options, process, one, startedAtMs));
    if (order)
      world.violate('signed-listed', `${reference} was signed, and ${order.id} was listed`);
  } else if (
    !isUserErased(journal, reference) &&
    !isExpectedRefusal(options, reference, known, status, startedAtMs)
  )
    world.violate(
      'not-signed',
      `${reference} was unpaid, and to continue it was answered ${status}`,
    );
  return response;
}

export const isPaid = (checkout: CheckoutRecord | undefined) =>
  checkout !== undefined &&
  (checkout.orders.length > 0 ||
    checkout.announcedAt !== undefined ||
    checkout.outcome === 'unconfirmed');

/** Returns whether the documents promise that a request finds an order that was listed when the request began. */
function mustBeFound(
  { plan, service, world }: ShopOptions,
  process: WorldProcess,
  order: ServiceOrder,
  startedAtMs: number,
): boolean {
  return (
    plan.skew <= MAX_SKEW_MS &&
    !plan.jump &&
    service.staleAtMs < startedAtMs - STALE_MS &&
    // A list that was outdated may have lacked the order. A later sync finds it only if its lookback is long enough.
    (service.staleAtMs < order.finishedAtMs || plan.tracker.lookbackSeconds >= 2400) &&
    process.frozenUntilMs < startedAtMs &&
    order.listedAtMs - order.finishedAtMs + plan.skew <
      Math.min(MAX_LATE_MS, plan.tracker.lookbackSeconds * 900) &&
    order.gaps.length === 0 &&
    order.malformedUntilMs < startedAtMs &&
    order.malformedUntilMs === 0 &&
    service.findListedStep(order, world.nowMs) !== undefined
  );
}

/** Returns whether a checkout may be refused: it is over, it may be paid, or something fails. */
function isExpectedRefusal(
  { plan, service, world, journal }: ShopOptions,
  reference: string,
  known: CheckoutRecord | undefined,
  status: number,
  startedAtMs: number,
): boolean {
  // A frozen instance may hold the lock of SQLite, so the others cannot write until it goes on.
  const faultsEndMs = plan.store === 'sqlite' ? journal.faultsEndMs : plan.activeMs;
  if (startedAtMs < faultsEndMs + 60_000) return [403, 404, 409, 410, 500, 503].includes(status);
  // The order list must be read before a checkout is signed again, and `badDay` can make that fail.
  if (plan.badDay && status === 503) return true;
  if (!known || known.expiresAt < world.seconds + 600) return status !== 500;
  // An instance whose clock was ahead may have expired the checkout too early.
  const mayBeExpired = known.outcome === 'expired' && !areClocksRight(plan);
  if (mayBeExpired && (status === 409 || status === 410)) return true;
  const isMalformed = service.orders.some(
    ({ listedAtMs, malformedUntilMs }) =>
      listedAtMs <= world.nowMs && startedAtMs < malformedUntilMs,
  );
  const hasOrder = service.orders.some(({ payment }) => payment.reference === reference);
  return hasOrder || isMalformed;
}
