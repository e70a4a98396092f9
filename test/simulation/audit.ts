import type {
  CheckoutProgress,
  CheckoutResponse,
} from '../../src/protocol/handler/CheckoutResponse.js';
import { getReference, type OrderRecord } from '../../src/server/orders/store/OrderRecord.js';
import { MAX_BACKOFF_SECONDS } from '../../src/server/orders/store/OrderStore.js';
import { getWatermark, parseSyncState } from '../../src/server/orders/tracker/syncState.js';
import { type Erasure, isUserErased, type SignedCheckout } from './journal.js';
import type { People } from './people.js';
import { areClocksRight, type Plan } from './plan.js';
import type { KnownState, ServiceOrder, Webhook } from './service.js';
import { API, type Shop, type ShopOptions } from './shop.js';
import type { WorldProcess } from './world.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const RANK: Readonly<Record<KnownState, number>> = {
  unknown: 0,
  finished: 1,
  settlement: 2,
  settled: 3,
};

interface Evidence extends ShopOptions {
  readonly shop: Shop;
  readonly people: People;
  readonly records: ReadonlyMap<string, OrderRecord>;
  /** The stored checkouts among those that were signed. */
  readonly stored: ReadonlySet<SignedCheckout>;
  /** The match status of each booked order, by the key of the call. */
  readonly booked: ReadonlyMap<string, string>;
}

/** Compares what the service knows with what the shop has stored and delivered, a day after all faults have ended. */
export async function audit(options: ShopOptions, shop: Shop, people: People): Promise<void> {
  const { database, journal, plan } = options;
  const records = new Map<string, OrderRecord>();
  for (const record of await database.listRecords()) records.set(record.order.orderId, record);
  const stored = new Set<SignedCheckout>();
  for (const checkout of journal.signed)
    if (await database.find(checkout.reference)) stored.add(checkout);
  const booked = new Map([...journal.bookings].map(([key, { status }]) => [key, status]));
  for (const key of await database.listBookings())
    if (!booked.has(key)) booked.set(key, records.get(key.split(':')[0] ?? '')?.matchStatus ?? '');
  const evidence = { ...options, shop, people, records, stored, booked };
  auditCheckouts(evidence);
  for (const order of options.service.orders)
    if (!isUserErased(journal, order.payment.reference)) auditOrder(evidence, order);
  for (const checkout of journal.signed) auditNft(evidence, checkout);
  for (const checkout of stored)
    if (!journal.erasures.has(checkout.user)) await auditStatus(evidence, checkout);
  if (areClocksRight(plan)) auditDelays(evidence);
  await auditInstances(evidence);
  // From here on the auditor writes. Time stands still now, so an instance in a transaction would lock the file for ever.
  shop.close();
  for (const erasure of journal.erasures.values()) await auditErasure(evidence, erasure);
}

/** Returns the time from which a checkout without an order may be purged. */
function getPurgeMs({ plan, journal }: Evidence, { reference, atMs }: SignedCheckout): number {
  const { retentionSeconds = 35 * 86_400, unopenedRetentionSeconds = 7 * 86_400 } = plan.tracker;
  const keepSeconds = journal.opened.has(reference) ? retentionSeconds : unopenedRetentionSeconds;
  const skewMs = areClocksRight(plan) ? 300_000 : 2 * HOUR + 300_000;
  const purgeMs = atMs + (plan.checkoutSeconds + keepSeconds) * 1000 - skewMs;
  // Whenever the memory store saves a checkout, it deletes the checkouts that expired a week before, whatever the plan
  // says.
  return plan.store === 'memory' ? Math.min(purgeMs, atMs + 7 * DAY - skewMs) : purgeMs;
}

/** Checks that every signed checkout is stored, unless it may have been purged. */
function auditCheckouts(evidence: Evidence): void {
  const { world, journal, records, stored } = evidence;
  for (const checkout of journal.signed) {
    if (stored.has(checkout) || journal.erasures.has(checkout.user)) continue;
    const { reference, orders } = checkout;
    const isOld = world.nowMs > getPurgeMs(evidence, checkout);
    const isKnown = orders.some(({ id }) => {
      const record = records.get(id);
      return record && getReference(record) === reference;
    });
    if (!isOld || isKnown) world.violate('checkout-lost', `${reference} was signed`);
  }
}

const isLastListed = ({ listedAtMs, malformedUntilMs, gaps }: ServiceOrder) =>
  Math.max(listedAtMs, malformedUntilMs, ...gaps.map(([, to]) => to));

function auditOrder(evidence: Evidence, order: ServiceOrder): void {
  const { world, records, booked, journal } = evidence;
  const { id, fails, steps, finishedAtMs, listedAtMs } = order;
  const record = records.get(id);
  if (fails) {
    if (record) world.violate('phantom', `${id} failed and is recorded`);
    return;
  }
  // The full sync reaches a week back. Leave it two days to find the order.
  const isCovered = isLastListed(order) - finishedAtMs < 5 * DAY;
  if (!record) {
    const late = Math.round((listedAtMs - finishedAtMs) / 1000);
    if (isCovered) world.violate('order-lost', `${id}, listed ${late} s late, is not recorded`);
    return;
  }
  const { state, status } = steps.at(-1) ?? { state: 'unknown', status: 0 };
  const keys = [...booked.keys()].filter((key) => key.startsWith(`${id}:`));
  const isDeliverable = record.matchStatus === 'matched' && !record.isLaterOrder;
  if (!isDeliverable && keys.includes(`${id}:deliver`))
    world.violate('wrong-delivery', `${id} is ${record.matchStatus}`);
  // An order that an operator has resolved, or may have, needs no delivery.
  const isNoted = journal.noted.has(id);
  if (state === 'unknown') {
    // The record keeps the last known state that was seen. The shop must learn of the status after it.
    if (!keys.some((key) => key.endsWith(`:${status}`)))
      world.violate('undelivered', `${id}, status ${status}, was not reviewed`);
  } else if (record.order.state !== state)
    world.violate('order-stale', `${id} is ${record.order.state}, the service says ${state}`);
  else if (isDeliverable && !isNoted) {
    if (!keys.includes(`${id}:deliver`)) world.violate('undelivered', `${id} was not delivered`);
  } else if (keys.length === 0 && !isNoted)
    world.violate('undelivered', `${id}, ${record.matchStatus}, was not reviewed`);
  const outcome = journal.resolutions.get(id)?.outcome;
  if (outcome && record.resolution !== outcome)
    world.violate('resolution-lost', `${id} was ${outcome}`);
  auditMatch(evidence, order, record);
}

function auditMatch(evidence: Evidence, { id, payment }: ServiceOrder, record: OrderRecord): void {
  const { world, booked, journal, stored } = evidence;
  const { truth, reference, widget } = payment;
  const checkout = journal.signed.find((one) => one.reference === reference);
  const isStored = checkout !== undefined && stored.has(checkout);
  for (const [key, status] of booked) {
    if (!key.startsWith(`${id}:`)) continue;
    if (truth.isStranger) {
      if (status !== 'unmatched') world.violate('stranger-matched', `${key} was ${status}`);
      continue;
    }
    if (truth.tampered && status === 'matched')
      world.violate('mismatch-matched', `${key} with another ${truth.tampered} was matched`);
    const bookedMs = journal.bookings.get(key)?.atMs ?? Number.POSITIVE_INFINITY;
    const wasStored = isStored || (checkout && bookedMs < getPurgeMs(evidence, checkout));
    if (status === 'unmatched' && wasStored)
      world.violate('match-lost', `${key} of ${reference} was unmatched`);
    if (!truth.tampered && status === 'quarantined' && widget === 'on-ramp')
      world.violate(
        'match-lost',
        `${key} was quarantined: ${JSON.stringify(record)}`.slice(0, 300),
      );
  }
}

function auditNft(
  { world, records, booked, stored, journal }: Evidence,
  checkout: SignedCheckout,
): void {
  if (checkout.widget !== 'nft' || journal.erasures.has(checkout.user)) return;
  const { reference, orders } = checkout;
  // An order that an operator has resolved is not booked.
  const isMatched = ({ id }: ServiceOrder) =>
    records.get(id)?.matchStatus === 'matched' ||
    [...booked].some(([key, status]) => key.startsWith(`${id}:`) && status === 'matched');
  const matched = orders.filter(isMatched);
  if (matched.length > 1) world.violate('nft-twice', `two orders of ${reference} were matched`);
  const good = orders.filter(
    ({ id, fails, steps, payment }) =>
      !fails &&
      !payment.truth.tampered &&
      records.has(id) &&
      steps.at(-1)?.state !== 'unknown' &&
      [...booked.keys()].some((key) => key.startsWith(`${id}:`)),
  );
  if (good.length > 0 && matched.length === 0 && stored.has(checkout))
    world.violate('nft-twice', `no order of ${reference} was matched`);
}

/** Compares the status route with the orders in the store, and the pages that still watch with the status route. */
async function auditStatus(evidence: Evidence, checkout: SignedCheckout): Promise<void> {
  const { world, plan } = evidence;
  const { reference, atMs } = checkout;
  const { status, body } = await readStatus(evidence, checkout);
  if (status !== 200 || !body)
    return world.violate('status-wrong', `the status of ${reference} was answered ${status}`);
  const isExpired = world.nowMs > atMs + plan.checkoutSeconds * 1000 + 3 * HOUR;
  const expected = expectProgress(evidence, checkout) ?? (isExpired ? 'expired' : undefined);
  if (expected && body.progress !== expected)
    world.violate('status-wrong', `${reference} is ${body.progress}, expected ${expected}`);
  comparePages(evidence, checkout, body);
}

function comparePages(
  { world, people }: Pick<Evidence, 'world' | 'people'>,
  checkout: SignedCheckout,
  { progress }: CheckoutResponse,
): void {
  for (const watcher of people.watchers)
    if (watcher.checkout === checkout && watcher.isOpen && watcher.progress !== progress)
      world.violate(
        'page-stale',
        `${watcher.page.name} shows ${watcher.progress}, not ${progress}`,
      );
}

/**
 * Compares the pages that still watch with the status route, unless the state changes meanwhile.
 *
 * @param isSettled - Whether the last change was hours ago. Otherwise a page may not know yet that its checkout has
 * expired.
 */
export async function auditPages(
  options: ShopOptions,
  shop: Shop,
  people: People,
  isSettled: boolean,
): Promise<void> {
  const { world, journal, database } = options;
  const open = people.watchers.filter(({ isOpen }) => isOpen).map(({ checkout }) => checkout);
  for (const checkout of new Set(open)) {
    if (journal.erasures.has(checkout.user) || !(await database.find(checkout.reference))) continue;
    const before = await readStatus({ ...options, shop }, checkout);
    await world.runUntil(world.nowMs + 20_000);
    const { body } = await readStatus({ ...options, shop }, checkout);
    if (!body || body.progress !== before.body?.progress) continue;
    const isPaid = /^(finished|settlement|settled)$/.test(body.progress);
    if (isPaid || isSettled) comparePages({ world, people }, checkout, body);
  }
}

function expectProgress(
  { records }: Evidence,
  { orders }: SignedCheckout,
): CheckoutProgress | undefined {
  const own = orders.flatMap(({ id, fails }) => {
    const record = records.get(id);
    return record && !fails ? [record] : [];
  });
  const good = own.filter(({ matchStatus }) => matchStatus !== 'quarantined');
  if (own.length === 0) return undefined;
  if (good.length === 0) return 'review';
  const best = good.reduce((a, b) => (RANK[a.order.state] >= RANK[b.order.state] ? a : b));
  return best.order.state === 'unknown' ? 'unconfirmed' : best.order.state;
}

async function readStatus(
  { world, shop }: Pick<Evidence, 'world' | 'shop'>,
  { reference, user }: SignedCheckout,
) {
  const target = shop.pickTarget(world.random('audit'));
  const read: { status: number; body?: CheckoutResponse } = { status: 0 };
  if (!target) return read;
  const request = new Request(`${API}/checkouts/${reference}`, { headers: { 'x-user': user } });
  const run = async () => {
    const response = await target.handle(request);
    const body = (await response.json()) as CheckoutResponse;
    Object.assign(read, { status: response.status, body });
  };
  world.after(0, () => void run(), target.process);
  for (let tries = 0; tries < 200 && !read.status; tries++) await world.runUntil(world.nowMs + 50);
  return read;
}

/**
 * Checks that orders are delivered soon, not only eventually. Otherwise a sync that waits for the next day would go
 * unnoticed.
 */
function auditDelays(evidence: Evidence): void {
  for (const order of evidence.service.orders) {
    const { fails, payment, malformedUntilMs, gaps } = order;
    if (fails || payment.truth.isStranger || malformedUntilMs || gaps.length > 0) continue;
    if (isUserErased(evidence.journal, payment.reference)) continue;
    auditOrderDelay(evidence, order);
    auditSettlementDelay(evidence, order);
  }
  for (const order of evidence.service.orders) auditOutcome(evidence, order);
  auditBlockedDeliveries(evidence);
  auditRetries(evidence);
}

/** Returns how long after the faults the shop may take to do what it does in every sync. */
function getSyncBoundMs({ tracker, badDay, instances, functions }: Plan): number {
  // While the service cannot list an earlier day (`badDay`), each instance spends time on failing attempts to read it.
  const badDaySeconds = badDay ? 60 * instances : 0;
  const cronSeconds = functions ? 120 : 0;
  const seconds = tracker.maxPollSeconds + tracker.pollSeconds + 120;
  return (seconds + badDaySeconds + cronSeconds) * 1000;
}

function auditOutcome(evidence: Evidence, order: ServiceOrder): void {
  const { world, plan, journal, stored } = evidence;
  const hook = journal.webhooks.find(({ webhook }) => webhook.order === order);
  const checkout = journal.signed.find(({ orders }) => orders.includes(order));
  if (!hook || !checkout || checkout.orders.length > 1 || !stored.has(checkout)) return;
  if (plan.tracker.retentionSeconds || journal.erasures.has(checkout.user)) return;
  const listedAtMs = order.fails ? Number.POSITIVE_INFINITY : order.listedAtMs;
  const endMs = Math.min(listedAtMs, checkout.atMs + plan.checkoutSeconds * 1000);
  const dueMs = Math.max(hook.atMs, journal.faultsEndMs) + getSyncBoundMs(plan);
  if (dueMs < endMs && !journal.unconfirmed.has(checkout.reference))
    world.violate(
      'outcome-missing',
      `${checkout.reference}, whose order ${order.id} was announced`,
    );
}

const findFirstCall = ({ journal }: Evidence, { id }: ServiceOrder): number =>
  Math.min(
    Number.POSITIVE_INFINITY,
    ...journal.calls.flatMap(({ orderId, atMs }) => (orderId === id ? [atMs] : [])),
  );

const formatDelay = (ms: number) =>
  Number.isFinite(ms) ? `${Math.round(ms / 1000)} s` : 'a day or more';

function auditOrderDelay(evidence: Evidence, order: ServiceOrder): void {
  const { world, plan, service, journal, stored } = evidence;
  const { tracker } = plan;
  const first = order.steps.find(({ state }) => state !== 'unknown');
  const checkout = journal.signed.find(({ reference }) => reference === order.payment.reference);
  if (!first || !checkout) return;
  // An outdated list may have lacked the order. A later sync finds it only if its lookback is long enough.
  const wasStale = service.staleAtMs > order.finishedAtMs;
  if (wasStale && tracker.lookbackSeconds < 2400) return;
  const listedAtMs = Math.max(order.listedAtMs, first.timeMs);
  const fromMs = Math.max(listedAtMs, journal.faultsEndMs);
  // An operator may have resolved the order before its delivery.
  if (journal.noted.has(order.id)) return;
  const calledAtMs = findFirstCall(evidence, order);
  const boundMs = getSyncBoundMs(plan);
  // The tracker keeps syncing while a checkout is open, and once more after it has expired. So one of these syncs must
  // see the order.
  const isOpen = checkout.atMs + plan.checkoutSeconds * 1000 > listedAtMs + 2000;
  const isOnlyOrder = checkout.orders.length === 1;
  const isInLookback = order.listedAtMs - order.finishedAtMs < tracker.lookbackSeconds * 900;
  // The tracker also keeps syncing for a day while it waits for an announced order.
  const announcement = journal.webhooks.find(({ webhook }) => webhook.order === order);
  const isAnnounced =
    announcement !== undefined &&
    announcement.atMs < listedAtMs + DAY &&
    listedAtMs < announcement.atMs + DAY;
  const isAwaited = isOpen || (isAnnounced && stored.has(checkout));
  const awaitedMs = isOpen ? fromMs : Math.max(fromMs, announcement?.atMs ?? 0);
  if (isAwaited && isOnlyOrder && isInLookback && calledAtMs > awaitedMs + boundMs)
    world.violate(
      'slow-order',
      `${order.id} was delivered ${formatDelay(calledAtMs - awaitedMs)} after it was listed (bound ${boundMs / 1000} s)`,
    );
  // A webhook that comes again requests no sync.
  const isReplay = (webhook: Webhook, fromMs: number) =>
    journal.webhooks.some((other) => other.webhook === webhook && other.atMs < fromMs);
  const hook = journal.webhooks.find(
    ({ webhook, atMs }) =>
      webhook.order === order && atMs > journal.faultsEndMs && !isReplay(webhook, atMs),
  );
  const hookMs = Math.max(hook?.atMs ?? 0, listedAtMs);
  if (hook && isInLookback && listedAtMs - hook.atMs < 60_000 && calledAtMs > hookMs + 200_000)
    if (tracker.pollSeconds >= 60)
      world.violate(
        'slow-webhook',
        `${order.id} was delivered ${formatDelay(calledAtMs - hookMs)} after it was announced and listed`,
      );
}

function auditSettlementDelay(evidence: Evidence, order: ServiceOrder): void {
  const { world, plan, journal } = evidence;
  const last = order.steps.at(-1);
  if (order.payment.widget !== 'nft' || last?.state !== 'settled' || order.steps.length < 2) return;
  const record = evidence.records.get(order.id);
  // If the order was first recorded as settled, there is no delay to measure.
  if (record?.order.state !== 'settled' || record.firstSeenAt === record.changedAt) return;
  const toMs = (seconds: number) => (seconds - world.seconds) * 1000 + world.nowMs;
  const earlierMs = toMs(record.firstSeenAt);
  const fromMs = Math.max(last.timeMs, order.listedAtMs, journal.faultsEndMs, earlierMs);
  const delayMs = toMs(record.changedAt) - fromMs;
  // Unsettled orders are read hourly. A sync in between moves the next reading, so two hours may pass.
  const boundMs = 2 * HOUR + (plan.tracker.maxPollSeconds + 180) * 1000;
  if (delayMs > boundMs)
    world.violate('slow-settlement', `${order.id} was settled ${formatDelay(delayMs)} late`);
}

function auditBlockedDeliveries(evidence: Evidence): void {
  const { world, plan, journal, shop } = evidence;
  if (!plan.poisonKey) return;
  for (const { key, orderId, atMs } of journal.calls) {
    const booking = journal.bookings.get(key);
    if (!booking || shop.isPoisoned(orderId) || journal.failedDeliveries.has(key)) continue;
    const fromMs = Math.max(atMs, journal.faultsEndMs);
    if (booking.atMs - fromMs > HOUR + 100_000)
      world.violate(
        'delivery-blocked',
        `${key} was booked ${formatDelay(booking.atMs - atMs)} after its first delivery`,
      );
  }
}

/** Checks that each delivery that failed is tried again within the longest pause between two attempts. */
function auditRetries({ world, plan, journal }: Evidence): void {
  const boundMs = MAX_BACKOFF_SECONDS * 1000 + getSyncBoundMs(plan);
  const last = new Map<string, number>();
  for (const { key, atMs } of journal.calls) {
    const lastMs = Math.max(last.get(key) ?? Number.POSITIVE_INFINITY, journal.faultsEndMs);
    if (atMs - lastMs > boundMs)
      world.violate('slow-retry', `${key} was tried again after ${formatDelay(atMs - lastMs)}`);
    last.set(key, atMs);
  }
}

const MAX_TIMERS = 8;
/** Errors that repeat as long as their cause lasts, or that the partner's own code throws. */
const EXPECTED_ERROR = /malformed|does not match docs|outside the tolerance|partner failed/;

async function auditInstances(evidence: Evidence): Promise<void> {
  const { world, plan, service, database, journal, shop } = evidence;
  // Look at each instance twice, because it may be in the middle of a sync the first time.
  const counts = new Map<WorldProcess, number>();
  for (let look = 0; look < 2; look++) {
    await world.runUntil(world.nowMs + 5000);
    for (const { process } of shop.running) {
      const { size } = process.timers;
      if (size > MAX_TIMERS) world.violate('grows', `${process.name} has ${size} timers`);
      counts.set(process, Math.max(size, counts.get(process) ?? 0));
    }
  }
  for (const [process, most] of counts)
    if (most === 0 && !plan.functions) world.violate('stopped', `${process.name} has no timer`);
  const since = world.seconds - 25 * 3600;
  const state = parseSyncState((await database.auditor.readSyncState()).state);
  if ((getWatermark(state) ?? 0) < since)
    world.violate('stopped', 'no instance has synced for 25 hours');
  if (state.ranges.daily.completeAt < since)
    world.violate('stopped', 'no daily reading was complete for 25 hours');
  auditSyncRate(evidence);
  const changes = await database.countPendingChanges();
  if (changes > 0) world.violate('grows', `${changes} changes are still pending`);
  // A shopper may pay after the faults have ended, and the order may still be malformed for a while.
  const malformedMs = Math.max(
    0,
    ...service.orders.map(({ malformedUntilMs }) => malformedUntilMs),
  );
  const quietMs = Math.max(plan.activeMs + (plan.badDay ? 7 * HOUR : HOUR / 2), malformedMs);
  const late = journal.errors.find(
    ({ atMs, message }) =>
      atMs > quietMs && Math.abs(atMs - journal.wokeAtMs) > 10_000 && !EXPECTED_ERROR.test(message),
  );
  if (late) world.violate('late-error', `${late.by}: ${late.message}`.slice(0, 300));
}

/** Checks that no instance has synced all the time in the last hour. */
function auditSyncRate({ world, plan, journal }: Evidence): void {
  const hour = journal.syncs.filter(({ atMs }) => atMs > world.nowMs - HOUR);
  const counts = new Map<WorldProcess, number>();
  for (const { by } of hour) counts.set(by, (counts.get(by) ?? 0) + 1);
  // A purchase makes instances sync more often for a while.
  const limit = HOUR / 1000 / plan.tracker.pollSeconds + 60;
  for (const [process, count] of counts)
    if (count > limit) world.violate('sync-storm', `${process.name} synced ${count} times`);
}

/**
 * Checks an erasure: each recorded order of the user was delivered or reviewed, and nothing is left of the user but what
 * is still needed.
 */
async function auditErasure(evidence: Evidence, erasure: Erasure): Promise<void> {
  const { world, database, journal, service, records, booked } = evidence;
  const { user, fromMs, doneMs } = erasure;
  if (doneMs === undefined) return world.violate('erased-late', `${user} was never erased`);
  const own = journal.signed.filter((checkout) => checkout.user === user && checkout.atMs < fromMs);
  const findKeys = (id: string) => [...booked.keys()].filter((key) => key.startsWith(`${id}:`));
  for (const { id, fails } of own.flatMap(({ orders }) => orders)) {
    // An order that an operator has resolved needs no delivery.
    const isDone = fails || findKeys(id).length > 0 || journal.noted.has(id);
    if (records.has(id) && !isDone)
      world.violate('erased-early', `${id} of ${user} was neither delivered nor reviewed`);
  }
  const { open = [] } = (await database.sqlAuditor?.eraseSubject(user)) ?? {};
  const isNeeded = (id: string) => {
    const order = records.get(id)?.order;
    return (
      findKeys(id).some((key) => key !== `${id}:deliver`) ||
      (order?.kind === 'nft' && order.state !== 'settled')
    );
  };
  // A finished checkout stays while another one with its order number can be paid.
  const isShared = (reference: string) => {
    const orderNo = own.find((checkout) => checkout.reference === reference)?.item.orderNo;
    return own.filter(({ item }) => orderNo !== undefined && item.orderNo === orderNo).length > 1;
  };
  for (const { reference, orderIds } of open)
    if (orderIds.length > 0 && !orderIds.some(isNeeded) && !isShared(reference))
      world.violate('erased-late', `${reference} of ${user} is finished, and was left`);
  // The erasure does not cover checkouts that were signed after it began (docs/personal-data.md), so their data may be
  // left.
  const isLater = journal.signed.some(
    (checkout) => checkout.user === user && !own.includes(checkout),
  );
  if (open.length > 0 || isLater) return;
  const wallets = own.map(({ item }) => item.wallet);
  const left = JSON.stringify([
    await database.listRecords(),
    await Promise.all(own.map(({ reference }) => database.find(reference))),
  ]);
  // Orders of the user that matched no checkout have no subject, so the erasure cannot find them.
  const unmatched = service.orders.filter(({ id }) => records.get(id)?.matchStatus === 'unmatched');
  const isKnown = (text: string) =>
    left.includes(text) && !unmatched.some(({ payment }) => payment.walletAddress === text);
  for (const text of [`"${user}"`, ...wallets])
    if (isKnown(text)) world.violate('erased-less', `${text} is left of ${user}`);
}
