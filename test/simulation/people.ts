import { fetchBackend } from '../../src/client/backend/fetchBackend.js';
import { continueCheckout } from '../../src/client/checkout/continueCheckout.js';
import type {
  CheckoutProgress,
  CheckoutsResponse,
} from '../../src/protocol/handler/CheckoutResponse.js';
import type { SqlOrderStore } from '../../src/server/sql/store/SqlOrderStore.js';
import type { Erasure, Item, SignedCheckout } from './journal.js';
import { fetchShop } from './network.js';
import { areClocksRight } from './plan.js';
import type { Random } from './random.js';
import type { Payment, ServiceOrder, Widget } from './service.js';
import {
  API,
  createNftParams,
  createShopperHeaders,
  SHOP,
  type Shop,
  type ShopOptions,
} from './shop.js';
import { WorldProcess } from './world.js';

export interface Watcher {
  readonly checkout: SignedCheckout;
  readonly page: WorldProcess;
  progress: CheckoutProgress | undefined;
  /** The `ETag` of the newest response. */
  tag: string | undefined;
  /** Whether the page still watches. */
  isOpen: boolean;
  close(): void;
}

/** The order in which the states on a page may follow each other. */
const RANK: Readonly<Record<CheckoutProgress, number>> = {
  waiting: 0,
  unconfirmed: 0.5,
  expired: 0.5,
  review: 1,
  finished: 2,
  settlement: 3,
  settled: 4,
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const REQUEST_LIMIT_MS = 25_000;
/** The limit for the delivery of the last purchase: two poll intervals plus this time. */
const LAST_LIMIT_SECONDS = 30;
const WRONG_WALLET = '0x0000000000000000000000000000000000000bad';

/** The shoppers with their pages, the operator, and strangers, whose orders do not belong to the shop. */
export class People {
  readonly watchers: Watcher[] = [];
  /** How many shoppers have not finished. */
  busy = 0;
  #pages = 0;

  constructor(
    readonly options: ShopOptions,
    readonly shop: Shop,
  ) {}

  start(): void {
    const { plan } = this.options;
    for (let index = 0; index < plan.people; index++) this.#keepBusy(this.#act(index));
    if (plan.strangers) this.#planStrangers();
    if (plan.operates) this.#operate();
    if (plan.buysLast) this.#keepBusy(this.#buyAtTheEnd());
    this.shop.payInSleep = () => this.#payInSleep();
  }

  /** Lets somebody buy after all machines have slept, two minutes after they woke up. */
  buyAfterSleep(): void {
    const { world, plan, journal } = this.options;
    const wakesInMs = journal.wokeAtMs - world.nowMs;
    this.#keepBusy(
      world.sleep(wakesInMs + 2 * MINUTE).then(() => this.#buyLast('late', plan.scaleIn)),
    );
  }

  #keepBusy(work: Promise<unknown>): void {
    this.busy++;
    void work.finally(() => {
      this.busy--;
    });
  }

  /** Closes all pages, as their shoppers do. */
  closePages(): void {
    for (const watcher of this.watchers) if (watcher.isOpen) watcher.close();
  }

  close(): void {
    for (const { page } of this.watchers) page.die();
  }

  async #act(index: number): Promise<void> {
    const { world, plan } = this.options;
    const random = world.random(`person ${index}`);
    const user = `u${index}`;
    await world.sleep(random.next() * plan.activeMs * 0.7);
    const widget = random.chance(plan.nft) ? 'nft' : 'on-ramp';
    const item: Item = {
      wallet: `0x${String(index + 1).padStart(40, '1')}`,
      amount: random.pick(['100', '99.50']),
      isBound: random.chance(0.6),
      token: `${index}`,
      orderNo: plan.sendsOrderNo && random.chance(0.7) ? `n-${index}` : undefined,
    };
    const hasTwoTabs = random.chance(0.15);
    if (plan.erases && random.chance(plan.erasesLate ? 1 : 0.7)) void this.#erase(user);
    const tabs = [await this.#open(user, widget, item)];
    if (hasTwoTabs && tabs[0]) tabs.push(await this.#open(user, widget, item));
    await Promise.all(tabs.map((tab) => tab && this.#playTab(tab, random)));
  }

  async #playTab(tab: SignedCheckout, random: Random): Promise<void> {
    const { world, plan } = this.options;
    const stayMs = random.log(20_000, 900_000);
    if (random.chance(plan.watches)) this.#watch(tab, random.chance(0.3) ? stayMs : undefined);
    const act = random.weighted([
      [2, 'leave'],
      [7, 'pay'],
      [2, 'pay late'],
      [plan.payTwice ? 4 : 0, 'pay twice'],
    ]);
    const continuing = plan.continues ? this.#continue(tab, random) : undefined;
    if (act === 'leave') return continuing;
    const lateMs = plan.checkoutSeconds * 1000 * (0.8 + random.next());
    await world.sleep(act === 'pay late' ? lateMs : random.log(3000, 500_000));
    // The order that was paid during the sleep must be the only one.
    if (plan.sleepsInSync && tab.orders.length > 0) return continuing;
    const changes = tab.widget === 'nft' ? ['token'] : ['wallet', 'amount', 'currency'];
    const tampered = plan.tamper && random.chance(0.4) ? random.pick(changes) : undefined;
    this.#pay(tab, { tampered });
    if (act === 'pay twice') {
      await world.sleep(random.log(1000, 600_000));
      this.#pay(tab);
    }
    await continuing;
  }

  /** Pays an open checkout that has no order yet. Returns whether there is one. */
  #payInSleep(): boolean {
    const { world, plan, journal } = this.options;
    const openMs = world.nowMs - plan.checkoutSeconds * 1000 + 30_000;
    const tab = journal.signed.find(({ atMs, orders }) => atMs > openMs && orders.length === 0);
    if (tab) world.after(1000, () => void this.#pay(tab, { isPrompt: true }));
    return tab !== undefined;
  }

  #createPage(): WorldProcess {
    return new WorldProcess(this.options.world, `page ${++this.#pages}`, true);
  }

  /** Connects a page to the backend, as the package does. */
  #connect(page: WorldProcess, { user, item }: Pick<SignedCheckout, 'user' | 'item'>) {
    const { world, plan } = this.options;
    const fetch = async (input: unknown, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      headers.set('origin', SHOP);
      const { method = 'GET', body, signal } = init;
      return fetchShop(world, plan, page, this.shop.pickTarget, `${input}`, {
        method,
        headers,
        signal,
        ...(typeof body === 'string' && { body }),
      });
    };
    return {
      api: API,
      headers: createShopperHeaders(user, item),
      request: fetchBackend,
      fetch: fetch as typeof globalThis.fetch,
    };
  }

  async #open(user: string, widget: Widget, item: Item): Promise<SignedCheckout | undefined> {
    const { world, plan, journal } = this.options;
    const random = world.random(`person ${user} opens`);
    const headers = new Headers({
      origin: SHOP,
      'content-type': 'application/json',
      ...createShopperHeaders(user, item),
    });
    const body = JSON.stringify({ widget, params: {} });
    for (let tries = 0; tries < 4; tries++) {
      const limit = new AbortController();
      const timer = world.after(REQUEST_LIMIT_MS, () => limit.abort(new Error('timeout')));
      try {
        const response = await fetchShop(
          world,
          plan,
          undefined,
          this.shop.pickTarget,
          `${API}/checkouts`,
          { method: 'POST', headers, body, signal: limit.signal },
        );
        const { status } = response;
        world.tell(`${user} opens a checkout: ${status}`);
        if (status === 201) {
          const { reference, params } = await response.json();
          const { nowMs: atMs } = world;
          const checkout = { reference, params, widget, item, user, atMs, orders: [] };
          world.tell(`${user} has the checkout ${reference} (${widget})`);
          journal.signed.push(checkout);
          return checkout;
        }
        // A user who was erased is signed out.
        if (![401, 403, 500, 502, 503].includes(status))
          world.violate('response-unexpected', `POST /checkouts answered ${status}`);
        if (status < 500) return undefined;
      } catch {
        world.tell(`${user} cannot reach the shop`);
      } finally {
        timer.cancel();
      }
      await world.sleep(random.log(500, 10_000));
    }
    return undefined;
  }

  #pay(
    checkout: SignedCheckout,
    {
      tampered,
      ...how
    }: Pick<Payment, 'isPrompt' | 'isLate'> & { tampered?: string | undefined } = {},
  ): ServiceOrder {
    const { item, widget, reference } = checkout;
    const isCompared = widget === 'nft' || tampered === 'wallet' || item.isBound;
    const nft = widget === 'nft' ? pickNft(item) : undefined;
    const order = this.options.service.pay({
      reference,
      widget,
      walletAddress: tampered === 'wallet' ? WRONG_WALLET : item.wallet,
      nft: nft && (tampered === 'token' ? { ...nft, tokenId: '999' } : nft),
      fiat: {
        amount: tampered === 'amount' ? '1' : item.amount,
        currency: tampered === 'currency' ? 'JPY' : 'USD',
      },
      truth: { tampered: isCompared ? tampered : undefined },
      ...how,
    });
    checkout.orders.push(order);
    return order;
  }

  /** Opens a page that watches a checkout, for some time or until `closePages`. */
  #watch(checkout: SignedCheckout, ms: number | undefined): Watcher {
    const { world } = this.options;
    const page = this.#createPage();
    const over = new AbortController();
    const watcher: Watcher = {
      checkout,
      page,
      progress: undefined,
      tag: undefined,
      isOpen: true,
      close() {
        watcher.isOpen = false;
        over.abort();
        world.after(1000, () => page.die());
      },
    };
    this.watchers.push(watcher);
    world.tell(`${page.name} watches ${checkout.reference}`);
    const show = (progress: CheckoutProgress) => {
      const { progress: last } = watcher;
      if (progress === last) return;
      world.tell(`${page.name} shows ${progress}`);
      // The page showed `review` for a quarantined order. If a second order arrives in an undocumented state, it is not
      // quarantined, and the page shows `unconfirmed`.
      const isSecond =
        last === 'review' && progress === 'unconfirmed' && checkout.orders.length > 1;
      if (last && RANK[last] >= 1 && RANK[progress] < RANK[last] && !isSecond)
        world.violate('page-back', `${page.name} went from ${last} to ${progress}`);
      watcher.progress = progress;
    };
    const poll = async () => {
      if (!watcher.isOpen) return;
      const seconds = await this.#poll(watcher, over.signal, show);
      world.after(seconds * 1000, () => void poll(), page);
    };
    world.after(0, () => void poll(), page);
    if (ms !== undefined) world.after(ms, watcher.close, page);
    return watcher;
  }

  /** Polls the state of a checkout once. Returns how many seconds the page waits until the next poll. */
  async #poll(
    watcher: Watcher,
    left: AbortSignal,
    show: (progress: CheckoutProgress) => void,
  ): Promise<number> {
    const { world, plan } = this.options;
    const { page, checkout } = watcher;
    const limit = new AbortController();
    const timer = world.after(REQUEST_LIMIT_MS, () => limit.abort(new Error('timeout')));
    const leave = () => limit.abort(left.reason);
    left.addEventListener('abort', leave, { once: true });
    const headers = new Headers({
      ...createShopperHeaders(checkout.user, checkout.item),
      ...(watcher.tag && { 'if-none-match': watcher.tag }),
    });
    const url = `${API}/checkouts?references=${checkout.reference}`;
    try {
      const response = await fetchShop(world, plan, page, this.shop.pickTarget, url, {
        method: 'GET',
        headers,
        signal: limit.signal,
      });
      if (response.status === 304) return 3;
      if (response.status !== 200) return 5;
      const { named, pollAfterSeconds }: CheckoutsResponse = await response.json();
      if (!watcher.isOpen) return pollAfterSeconds;
      const [state] = named ?? [];
      // The user is being erased.
      if (!state) watcher.isOpen = false;
      else show(state.progress);
      watcher.tag = response.headers.get('etag') ?? undefined;
      return pollAfterSeconds;
    } catch {
      world.tell(`${page.name} cannot reach the shop`);
      return 5;
    } finally {
      timer.cancel();
      left.removeEventListener('abort', leave);
    }
  }

  async #continue(tab: SignedCheckout, random: Random): Promise<void> {
    const { world, plan } = this.options;
    const hurry = world.random(`hurry ${tab.reference}`);
    for (let left = random.int(1, 3); left > 0; left--) {
      await world.sleep(random.log(2000, 1_500_000));
      if (tab.orders.length === 0 && hurry.chance(0.25)) {
        // Somebody pays, and clicks before the order is known.
        const isLate = plan.late && world.random(`late ${tab.reference}`).chance(0.5);
        this.#pay(tab, { isPrompt: hurry.chance(0.5), isLate });
        await world.sleep(hurry.log(1000, 30_000));
      }
      const result = await this.#requestContinuation(tab);
      world.tell(`${tab.user} continues ${tab.reference}: ${result}`);
      if (result === 'signed' && random.chance(0.5)) {
        await world.sleep(random.log(2000, 100_000));
        // Somebody impatient pays, and tries to continue again and again.
        const isImpatient = random.chance(0.5);
        this.#pay(tab, { isPrompt: isImpatient, isLate: plan.late && hurry.chance(0.6) });
        for (let tries = isImpatient ? 4 : 0; tries > 0; tries--) {
          await world.sleep(random.log(2000, 20_000));
          world.tell(`${tab.user} tries again: ${await this.#requestContinuation(tab)}`);
        }
      }
    }
  }

  #requestContinuation(tab: SignedCheckout): Promise<string> {
    const { world } = this.options;
    const page = this.#createPage();
    return new Promise((resolve) => {
      const run = async () => {
        const connection = this.#connect(page, tab);
        const { signal } = new AbortController();
        try {
          const result = await continueCheckout(connection, tab.reference, signal, () => {});
          resolve(typeof result === 'string' ? result : 'signed');
        } catch (error) {
          resolve(`${(error as { code?: unknown }).code}`);
        }
        page.die();
      };
      world.after(0, () => void run(), page);
    });
  }

  /** Buys after the faults have ended. */
  async #buyAtTheEnd(): Promise<void> {
    const { world, plan, journal } = this.options;
    // If a clock was ahead, wait longer, because its effects last until the world reaches the time that it showed.
    // A purchase makes idle instances sync, which would hide a delivery that is too late. So buy only after the longest
    // delay that the audit allows.
    await world.sleep(plan.activeMs + (areClocksRight(plan) ? 30 : 150) * MINUTE);
    // The partner cannot book the first order until an hour after the faults. Until then, the backoff between the
    // attempts to deliver it grows.
    if (plan.poisonKey) await world.sleep(100 * MINUTE);
    while (world.nowMs < journal.faultsEndMs + 2 * MINUTE) await world.sleep(MINUTE);
    await this.#buyLast('last');
  }

  /**
   * Buys while nothing fails. This purchase must work as if there had never been a fault.
   *
   * @param isRemoved - Whether the instance that granted the checkout is removed, if another one is left.
   */
  async #buyLast(user: string, isRemoved = false): Promise<void> {
    const { world, plan, journal } = this.options;
    const item: Item = {
      wallet: `0x${'9'.repeat(40)}`,
      amount: '100',
      isBound: true,
      token: user,
      orderNo: undefined,
    };
    const fromMs = world.nowMs;
    const tab = await this.#open(user, 'on-ramp', item);
    if (!tab || world.nowMs > fromMs + 5000)
      return world.violate('last-purchase', `${tab?.reference ?? 'it'} was not signed at once`);
    // While the service cannot list an earlier day (`badDay`), each instance may spend half a minute on trying.
    const badDaySeconds = plan.badDay ? 30 * plan.instances : 0;
    // A scheduled job requests a sync every minute, whatever `pollSeconds` is.
    const cronSeconds = plan.functions ? 120 : 0;
    const granter = journal.granters.get(tab.reference);
    const isAlone = isRemoved && this.shop.removeInstance(granter);
    // The other instances look into the store every `maxPollSeconds`.
    const lookSeconds = isAlone ? plan.tracker.maxPollSeconds : 0;
    const limitSeconds = 2 * plan.tracker.pollSeconds + lookSeconds + LAST_LIMIT_SECONDS;
    const limitMs = (limitSeconds + badDaySeconds + cronSeconds) * 1000;
    await world.sleep(20_000);
    // auditRequest judges the response. To continue would make another instance sync.
    if (!isAlone) await this.#requestContinuation(tab);
    const watcher = this.#watch(tab, limitMs + MINUTE);
    const order = this.#pay(tab, { isPrompt: true });
    const isBooked = () => journal.bookings.get(`${order.id}:deliver`);
    const endMs = order.listedAtMs + limitMs;
    while (world.nowMs < endMs && !isBooked()) await world.sleep(3000);
    if (!isBooked())
      return world.violate(
        'last-purchase',
        `${order.id} was not delivered ${limitMs / 1000} s after it was listed`,
      );
    // A page polls every three seconds.
    await world.sleep(plan.functions ? 12_000 : 5000);
    if (watcher.progress !== 'finished')
      world.violate('last-purchase', `${watcher.page.name} shows ${watcher.progress}`);
    watcher.close();
  }

  /** Erases a user as a shop does: ends the sessions first, and then calls `eraseSubject` until nothing is left. */
  async #erase(user: string): Promise<void> {
    const { world, plan, journal } = this.options;
    const random = world.random(`erasure of ${user}`);
    await world.sleep(random.log(10_000, plan.activeMs * (plan.erasesLate ? 0.5 : 2)));
    // Many users wait until one of their deliveries has failed, so that the erasure meets a pending delivery. With
    // `erasesLate`, they wait until the order is settled, too.
    const isStuck = () =>
      [...journal.failedDeliveries.keys()].some(
        (key) =>
          !journal.bookings.has(key) &&
          journal.signed.some(
            (checkout) =>
              checkout.user === user &&
              checkout.orders.some(
                ({ id }) =>
                  key.startsWith(`${id}:`) &&
                  (!plan.erasesLate || journal.states.get(id) === 'settled'),
              ),
          ),
      );
    const untilMs = plan.activeMs + (plan.erasesLate ? 30 * MINUTE : 0);
    if (random.chance(plan.erasesLate ? 0.9 : 0.5))
      while (world.nowMs < untilMs && !isStuck()) await world.sleep(2000);
    const erasure: Erasure = { user, fromMs: world.nowMs };
    journal.erasures.set(user, erasure);
    for (;;) {
      const result = await this.shop.run(random, (store) =>
        (store as SqlOrderStore).eraseSubject(user),
      );
      world.tell(`${user} is erased: ${result ? JSON.stringify(result) : 'failed'}`);
      if (result) erasure.doneMs ??= world.nowMs;
      if (result?.open.length === 0) return this.#findPendingChange(erasure);
      await world.sleep(result ? random.log(60_000, 8 * HOUR) : random.log(1000, 60_000));
    }
  }

  /** Checks that no change with data of a user is pending, after an erasure that has kept nothing. */
  async #findPendingChange({ user, fromMs }: Erasure): Promise<void> {
    const { world, journal, service, database } = this.options;
    const own = journal.signed.filter(
      (checkout) => checkout.user === user && checkout.atMs < fromMs,
    );
    const pending = await database.auditor.listPendingChanges(2 ** 40, 1_000_000);
    for (const { key, record, matchStatus } of pending) {
      // An order that comes after the erasure belongs to no checkout any more, and a person must see it.
      if (matchStatus === 'unmatched') continue;
      const order = service.orders.find(({ id }) => id === record.order.orderId);
      const isOwn = own.some(({ reference }) => reference === order?.payment.reference);
      if (isOwn) world.violate('erased-less', `${key} of ${user} is still pending`);
    }
  }

  /** Lets an operator record the resolutions of orders at random times. */
  #operate(): void {
    const { world, plan, service, journal } = this.options;
    const random = world.random('operator');
    // Of two calls at once, nobody would know which one took effect last.
    const running = new Set<ServiceOrder>();
    const resolve = async (order: ServiceOrder | undefined) => {
      if (order && running.has(order)) return;
      if (order) running.add(order);
      const outcome = random.pick(['delivered', 'refunded'] as const);
      // A call that is still running, or that seems to have failed, may have taken effect.
      const earlier = order && journal.resolutions.get(order.id);
      if (order) journal.noted.add(order.id);
      if (order) journal.resolutions.delete(order.id);
      const isDone =
        order &&
        (await this.shop.run(random, (store) =>
          (store as SqlOrderStore)
            .resolveOrder(order.id, outcome)
            .then((resolved) => resolved !== undefined),
        ));
      if (order) running.delete(order);
      if (order && earlier && isDone === false) journal.resolutions.set(order.id, earlier);
      if (order && isDone) {
        journal.resolutions.set(order.id, { outcome, atMs: world.nowMs });
        world.tell(`the operator resolves ${order.id} as ${outcome}`);
      }
    };
    const resolveRepeatedly = async () => {
      const orders = service.orders.filter(({ payment }) => payment.reference !== undefined);
      await resolve(orders.length > 0 ? random.pick(orders) : undefined);
      if (world.nowMs < plan.activeMs)
        world.after(random.log(500, 20_000), () => void resolveRepeatedly());
    };
    world.after(random.log(1000, plan.activeMs), () => void resolveRepeatedly());
    if (!plan.resolvesAtOnce) return;
    const moments = world.random('moments');
    journal.onAdvance = (orderId) => {
      const order = service.orders.find(({ id }) => id === orderId);
      if (order?.payment.reference !== undefined)
        world.after(moments.log(0.05, 10), () => void resolve(order));
    };
  }

  #planStrangers(): void {
    const { world, plan, service } = this.options;
    const random = world.random('strangers');
    const references = [undefined, 'shop-7', 'AAAAAAAAAAAAAAAAAAAAAA', 'x'.repeat(400)];
    for (let left = random.int(1, 12); left > 0; left--)
      world.after(random.next() * plan.activeMs, () =>
        service.pay({
          reference: random.pick(references),
          widget: 'on-ramp',
          walletAddress: '0xabc',
          fiat: { amount: '5', currency: 'USD' },
          truth: { isStranger: true },
        }),
      );
  }
}

/** Returns the details that the service lists for an NFT. */
const pickNft = (item: Item) => {
  const {
    cryptoCurrency: _,
    amount: __,
    walletAddress: ___,
    walletAddressTag: ____,
    ...nft
  } = createNftParams(item);
  return nft;
};
