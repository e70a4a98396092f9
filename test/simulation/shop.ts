import type { Kysely } from 'kysely';
import { createRampHandler } from '../../src/server/handler/createRampHandler.js';
import type { CheckoutGrant, CheckoutRequest } from '../../src/server/handler/policy.js';
import type { OrderToDeliver, OrderToReview } from '../../src/server/orders/outcomes.js';
import { MAX_BACKOFF_SECONDS, type OrderStore } from '../../src/server/orders/store/OrderStore.js';
import { createOrderTracker } from '../../src/server/orders/tracker/createOrderTracker.js';
import { createPartnerApi } from '../../src/server/partner-api/createPartnerApi.js';
import { createWidgetSigner } from '../../src/server/signing/createWidgetSigner.js';
import { createWebhookVerifier } from '../../src/server/webhooks/createWebhookVerifier.js';
import { auditRequest, isPaid, MAX_SKEW_MS } from './auditRequest.js';
import type { ShopTables, SimulatedDatabase } from './databases.js';
import { type DeliveryCall, type Item, type Journal, observeApi, observeStore } from './journal.js';
import { createApiFetch, type FrontTarget, fetchShop } from './network.js';
import type { Plan } from './plan.js';
import type { Random } from './random.js';
import type { Service } from './service.js';
import { type World, WorldProcess } from './world.js';

export const SHOP = 'https://shop.example';
export const API = `${SHOP}/api/ramp`;

/** Creates the headers from which the policy reads the user and the item. */
export const createShopperHeaders = (user: string, item: Item) => ({
  'x-user': user,
  'x-item': JSON.stringify(item),
});

/** The longest time that a response may take. An event stream must begin within it. */
const RESPONSE_LIMIT_MS = 60_000;

interface Instance {
  readonly index: number;
  process?: WorldProcess;
  boots: number;
  /** When the instance last froze. */
  frozenAtMs?: number;
  /** Whether the instance was scaled in, and so never comes back. */
  isGone: boolean;
  handle?: (request: Request) => Promise<Response>;
  store?: OrderStore;
  stop?: () => Promise<void>;
  /** The work of `waitUntil`, if the process lives for one request. */
  readonly waitsFor?: Promise<void>[];
  sync?: () => Promise<unknown>;
}

/** How often a scheduled job requests a sync of a shop whose processes live for one request. */
const CRON_MS = 60_000;
const SYNC_SECRET = 'the-secret-of-the-scheduled-jobs-of-the-shop';
/** The host of a function ends its process after this time. */
const FUNCTION_LIMIT_MS = 120_000;

/** What the instances of a shop share. */
export interface ShopOptions {
  readonly world: World;
  readonly plan: Plan;
  readonly service: Service;
  readonly database: SimulatedDatabase;
  readonly journal: Journal;
  /** Whether functions sync only for scheduled jobs, and never with `waitUntil`. */
  readonly isCronAlone?: boolean;
}

/** The backend of the partner: several instances on one database, which crash, freeze, and come back. */
export class Shop {
  readonly instances: Instance[];
  /** Whether the faults have ended. */
  isQuiet = false;
  /** How many processes have begun. */
  processes = 0;
  #skewMs: number;
  /** The clocks of the machines on which functions run. */
  readonly #hostSkews: number[] = [];
  /** Pays an open checkout while all machines sleep. Returns whether there is one. */
  payInSleep: () => boolean = () => false;
  /** Whether all machines have slept in the middle of a sync. */
  #hasSlept = false;
  /** Until this time no scheduled job comes. */
  #jobsAwakeMs = 0;

  constructor(readonly options: ShopOptions) {
    const { plan } = options;
    this.#skewMs = plan.skew;
    this.instances = Array.from({ length: plan.functions ? 0 : plan.instances }, (_, index) => ({
      index,
      boots: 0,
      isGone: false,
    }));
  }

  start(): void {
    const { world } = this.options;
    const random = world.random('start');
    if (this.options.plan.functions) {
      this.#planHostClocks();
      this.#requestSyncs();
      return;
    }
    for (const instance of this.instances)
      world.after(random.log(1, 60_000) * instance.index, () => {
        if (!instance.process) this.#boot(instance);
      });
    this.#planClocks();
    this.#planStops();
    if (this.options.plan.callsSync) this.#callSync();
  }

  /** Calls `tracker.sync()` now and then, as a scheduled job or an operator does. */
  #callSync(): void {
    const { world } = this.options;
    const random = world.random('calls of sync');
    world.after(random.log(20_000, 1_200_000), () => {
      if (!this.#isActive) return;
      this.#callSync();
      const { running } = this;
      if (running.length === 0) return;
      const { instance, process } = random.pick(running);
      world.tell(`${process.name}: somebody calls sync`);
      world.after(0, () => void instance.sync?.().catch(() => {}), process);
    });
  }

  /** Removes the instance of a process for good, if another one is left. Returns whether it has. */
  removeInstance(process: WorldProcess | undefined): boolean {
    const { running } = this;
    const found = running.find((one) => one.process === process);
    if (!found || running.length === 1) return false;
    found.instance.isGone = true;
    found.process.die();
    this.options.world.tell(`${found.process.name} is removed`);
    return true;
  }

  get #isActive(): boolean {
    return !this.isQuiet && this.options.world.nowMs < this.options.plan.activeMs;
  }

  get running(): { readonly instance: Instance; readonly process: WorldProcess }[] {
    return this.instances.flatMap((instance) => {
      const { process } = instance;
      return process && !process.isDead ? [{ instance, process }] : [];
    });
  }

  /** Ends the faults of the instances. A frozen instance stays frozen until its time is over. */
  calm(): void {
    this.isQuiet = true;
    this.#skewMs = 0;
    this.#hostSkews.fill(0);
    for (const { process } of this.running) process.skewMs = 0;
  }

  /** Lets all machines sleep. Work that becomes due during the sleep runs when they wake up. */
  sleep(ms: number): void {
    const { world, journal } = this.options;
    for (const { process } of this.running) process.freeze(ms, true);
    journal.wokeAtMs = world.nowMs + ms;
    this.#jobsAwakeMs = world.nowMs + ms;
    world.tell('all machines sleep');
  }

  close(): void {
    for (const { process } of this.instances) process?.die();
  }

  /**
   * Crashes or freezes an instance with the chances of the plan. It is called at each input and output of an instance.
   */
  readonly onStep = (process: WorldProcess, what: string): void => {
    const { world, plan, journal } = this.options;
    if (!this.#isActive || process.isDead) return;
    const instance = this.instances.find((candidate) => candidate.process === process);
    if (!instance) return;
    if (plan.sleepsInSync && journal.leases.get(process)?.hasRead) this.#sleepInSync();
    const random = world.random('crashes');
    if (random.chance(plan.crash)) {
      this.#crash(instance, process, what);
      return;
    }
    if (!random.chance(plan.freeze)) return;
    const ms = random.weighted([
      [4, random.log(10, 3000)],
      [2, random.log(3000, 30_000)],
      [2, random.log(60_000, 1_200_000)],
    ]);
    const isSuspended = random.chance(plan.suspend);
    process.freeze(ms, isSuspended);
    instance.frozenAtMs = world.nowMs;
    journal.faultsEndMs = Math.max(journal.faultsEndMs, process.frozenUntilMs);
    world.tell(
      `${process.name} is ${isSuspended ? 'suspended' : 'frozen'} for ${Math.round(ms)} ms at ${what}`,
    );
  };

  /** Lets all machines sleep once until the open checkouts have expired, if somebody pays meanwhile. */
  #sleepInSync(): void {
    const { world, plan, journal } = this.options;
    const random = world.random('sleep');
    if (this.#hasSlept || !random.chance(0.3) || !this.payInSleep()) return;
    this.#hasSlept = true;
    const ms = plan.checkoutSeconds * 1000 + random.log(1000, 600_000);
    for (const { instance, process } of this.running) {
      process.freeze(ms, true);
      instance.frozenAtMs = world.nowMs;
    }
    journal.faultsEndMs = Math.max(journal.faultsEndMs, world.nowMs + ms);
    world.tell(`all machines sleep for ${Math.round(ms)} ms in the middle of a sync`);
  }

  /** Picks an instance for a request, as a load balancer does. */
  readonly pickTarget = (random: Random): FrontTarget | undefined => {
    if (this.options.plan.functions) return this.#bootFunction(random);
    const { running } = this;
    if (running.length === 0) return undefined;
    const { instance, process } = random.pick(running);
    return {
      process,
      handle: (request) =>
        this.#limit(instance, process, request, () =>
          auditRequest(this.options, process, request, () =>
            (instance.handle as (request: Request) => Promise<Response>)(request),
          ),
        ),
      onResponse: () => this.onStep(process, 'response'),
    };
  };

  /** Checks that a request is answered in time. */
  async #limit(
    instance: Instance,
    process: WorldProcess,
    { method, url }: Request,
    handle: () => Promise<Response>,
  ): Promise<Response> {
    const { world } = this.options;
    const fromMs = world.nowMs;
    // The host of a function ends it after a time of its own.
    const limitMs = this.options.plan.functions ? 2 * FUNCTION_LIMIT_MS : RESPONSE_LIMIT_MS;
    const limit = world.after(limitMs, () => {
      if (!process.isDead && (instance.frozenAtMs ?? 0) < fromMs)
        world.violate('slow-response', `${method} ${new URL(url).pathname}`);
    });
    try {
      return await handle();
    } finally {
      limit.cancel();
    }
  }

  /**
   * Runs work in a random running instance. Resolves with undefined if no instance runs, the instance dies, or the work
   * fails.
   */
  run<T>(
    random: Random,
    work: (store: OrderStore, process: WorldProcess) => Promise<T>,
  ): Promise<T | undefined> {
    const { plan, world } = this.options;
    const started = plan.functions ? [this.#startFunction(random)] : this.running;
    if (started.length === 0) return Promise.resolve(undefined);
    const { instance, process } = random.pick(started);
    return new Promise<T | undefined>((resolve) => {
      process.onDeath(() => resolve(undefined));
      world.after(
        0,
        () =>
          void work(instance.store as OrderStore, process).then(resolve, () => resolve(undefined)),
        process,
      );
    }).finally(() => {
      if (plan.functions) process.end();
    });
  }

  /** Starts a process that lives for one request, on a random machine. */
  #startFunction(random: Random): { instance: Instance; process: WorldProcess } {
    const { world, plan } = this.options;
    const index = random.int(0, plan.instances - 1);
    const instance: Instance = { index, boots: this.processes, isGone: true, waitsFor: [] };
    const process = this.#boot(instance, this.#hostSkews[index]);
    this.instances.push(instance);
    process.onDeath(() => this.instances.splice(this.instances.indexOf(instance), 1));
    world.after(FUNCTION_LIMIT_MS, () => {
      if (process.isDead) return;
      world.tell(`${process.name} has reached its time limit`);
      process.die();
    });
    return { instance, process };
  }

  /** Starts a process for one request. It ends when the response and all work of `waitUntil` have ended. */
  #bootFunction(random: Random): FrontTarget {
    const { world, plan } = this.options;
    const { instance, process } = this.#startFunction(random);
    return {
      process,
      handle: (request) =>
        this.#limit(instance, process, request, () =>
          auditRequest(this.options, process, request, () =>
            (instance.handle as (request: Request) => Promise<Response>)(request),
          ),
        ),
      onResponse: () => {
        this.onStep(process, 'response');
        void Promise.allSettled(instance.waitsFor ?? []).then(() =>
          world.after(1, () => {
            const { size } = process.timers;
            // While another process is frozen, it may hold the lock of SQLite, and a write waits for it with a timer.
            const isFrozen = this.running.some(
              (other) => other.process.frozenUntilMs > world.nowMs,
            );
            const mayWaitForLock = plan.store === 'sqlite' && isFrozen;
            // Any other timer would keep the process alive, and its host waiting.
            if (size > 0 && !process.isDead && !mayWaitForLock)
              world.violate('grows', `${process.name} ends with ${size} timers`);
            process.end();
          }),
        );
      },
    };
  }

  #planHostClocks(): void {
    const { world, plan } = this.options;
    const random = world.random('boot');
    for (let index = 0; index < plan.instances; index++)
      this.#hostSkews.push(Math.round((random.next() * 2 - 1) * this.#skewMs));
    if (!plan.jump) return;
    const jumps = world.random('clocks');
    for (let left = jumps.int(1, 4); left > 0; left--)
      world.after(jumps.next() * plan.activeMs, () => {
        const index = jumps.int(0, plan.instances - 1);
        this.#hostSkews[index] = Math.round((jumps.next() * 2 - 1) * 2 * 3_600_000);
        world.tell(`machine ${index}: its clock is set to ${this.#hostSkews[index]} ms ahead`);
      });
  }

  /** Requests a sync every minute, as a scheduled job does. Some jobs come twice. */
  #requestSyncs(): void {
    const { world, plan } = this.options;
    const random = world.random('cron');
    const send = async () => {
      const response = await fetchShop(world, plan, undefined, this.pickTarget, `${API}/sync`, {
        method: random.pick(['GET', 'POST']),
        headers: new Headers({ authorization: `Bearer ${SYNC_SECRET}` }),
      }).catch(() => undefined);
      const text = response?.status === 200 ? await response.text().catch(() => '') : '';
      world.tell(`the scheduled job gets ${response?.status ?? 'no response'} ${text}`);
      const isExpected = response === undefined || [200, 500, 502, 503].includes(response.status);
      if (!isExpected) world.violate('response-unexpected', `/sync answered ${response?.status}`);
    };
    const tick = () => {
      world.after(CRON_MS + random.log(1, 2000) - 1, tick);
      if (world.nowMs < this.#jobsAwakeMs) return;
      void send();
      if (random.chance(0.1)) void send();
    };
    world.after(random.log(1, CRON_MS), tick);
  }

  #boot(instance: Instance, hostSkewMs?: number): WorldProcess {
    const { world, plan, service, database, journal } = this.options;
    const random = world.random('boot');
    const process = new WorldProcess(world, `instance ${instance.index}.${++instance.boots}`);
    process.skewMs = hostSkewMs ?? Math.round((random.next() * 2 - 1) * this.#skewMs);
    instance.process = process;
    this.processes++;
    const { waitsFor } = instance;
    const fetch = createApiFetch(service, process, () => this.onStep(process, 'request'));
    const runtime = process.createRuntime(fetch);
    const connection = database.connect(process, runtime);
    const store = observeStore(connection.store, process, journal, plan);
    instance.store = store;
    const report = (error: unknown) => {
      const { code = '', message = `${error}` } = Object(error);
      world.tell(`${process.name} reports ${code} ${message}`.slice(0, 300));
      journal.errors.push({ atMs: world.nowMs, by: process.name, message });
      const mayBeLocked = plan.freeze > 0 || plan.sleepsInSync || plan.slowDatabase > 0;
      if (/database is locked|locked by another process/.test(message) && !mayBeLocked)
        world.violate('busy-reported', `${process.name}: ${message}`);
    };
    const client = createPartnerApi(
      {
        baseUrl: 'https://api.example',
        partnerId: 'P1',
        privateKey: 'replaced',
        onError() {},
      },
      runtime,
    );
    const api = observeApi(client, process, service, journal);
    const tracker = createOrderTracker(
      {
        ...plan.tracker,
        ...(waitsFor && {
          isServerless: true,
          syncSeconds: world.random('functions').pick([3, 20]),
        }),
        api,
        store,
        onError: report,
        deliver: (order, transaction) => this.#handle(process, order, transaction),
        review: (order, _, transaction) => this.#handle(process, order, transaction),
      },
      runtime,
    );
    const webhooks = createWebhookVerifier(
      { publicKey: 'replaced', url: `${API}/webhook` },
      runtime,
    );
    const signer = createWidgetSigner(
      { partnerId: 'P1', secretKey: 'secret-key-of-the-partner-1' },
      runtime,
    );
    const handler = createRampHandler(
      {
        signer,
        api,
        store,
        webhooks,
        tracker,
        allowedOrigins: [SHOP],
        onError: report,
        checkoutSeconds: plan.checkoutSeconds,
        getShopper: ({ request }) => {
          const user = request.headers.get('x-user') ?? '';
          return journal.erasures.has(user) || !user ? undefined : { id: user };
        },
        policy: (request) => this.#grant(process, request),
        ...(waitsFor && { syncSecret: SYNC_SECRET }),
        ...(waitsFor &&
          world.random('functions').chance(0.5) &&
          !this.options.isCronAlone && {
            waitUntil: (work: Promise<void>) => void waitsFor.push(work),
          }),
      },
      runtime,
    );
    instance.handle = (request) => handler(request);
    instance.stop = async () => {
      await tracker.stop();
    };
    instance.sync = () => tracker.sync();
    if (waitsFor) return process;
    // An instance may come back some minutes after the last fault.
    journal.faultsEndMs = Math.max(journal.faultsEndMs, world.nowMs);
    world.tell(`${process.name} boots, its clock is ${process.skewMs} ms ahead`);
    tracker.start();
    return process;
  }

  #crash(instance: Instance, process: WorldProcess, what: string): void {
    const { world, plan, journal } = this.options;
    journal.faultsEndMs = Math.max(journal.faultsEndMs, world.nowMs);
    world.tell(`${process.name} crashes at ${what}`);
    process.die();
    if (!plan.functions) this.#comeBack(instance);
  }

  #comeBack(instance: Instance): void {
    const { world, plan } = this.options;
    const random = world.random('crashes');
    const hasOther = this.instances.some((other) => other !== instance && !other.isGone);
    if (plan.scaleIn && hasOther && random.chance(0.5)) {
      instance.isGone = true;
      world.tell(`instance ${instance.index} does not come back`);
      return;
    }
    world.after(random.log(200, 240_000), () => this.#boot(instance));
  }

  /** Stops instances as a supervisor does: one that does not stop within 30 seconds is killed. */
  #planStops(): void {
    const { world, plan } = this.options;
    if (!plan.stop) return;
    const random = world.random('stops');
    for (let left = random.int(1, 3); left > 0; left--)
      world.after(random.next() * plan.activeMs, () => {
        const instance = random.pick(this.instances);
        const { process } = instance;
        if (!process || process.isDead) return;
        world.tell(`${process.name} stops`);
        const end = () => {
          if (process.isDead) return;
          process.die();
          world.tell(`${process.name} has stopped`);
          this.#comeBack(instance);
        };
        world.after(30_000, end);
        world.after(0, () => void instance.stop?.().then(end), process);
      });
  }

  #planClocks(): void {
    const { world, plan } = this.options;
    if (!plan.jump) return;
    const random = world.random('clocks');
    const sizes = [2000, 60_000, 30 * 60_000, 2 * 3_600_000];
    for (let left = random.int(1, 4); left > 0; left--)
      world.after(random.next() * plan.activeMs, () => {
        const { process } = random.pick(this.instances);
        if (!process || process.isDead) return;
        process.skewMs = Math.round((random.next() * 2 - 1) * random.pick(sizes));
        world.tell(`${process.name}: its clock is set to ${process.skewMs} ms ahead`);
      });
  }

  async #grant(
    process: WorldProcess,
    { widget, request, shopper, continues }: CheckoutRequest,
  ): Promise<CheckoutGrant> {
    const { world, plan, database, journal } = this.options;
    const random = world.random(`policy-${process.name}`);
    if (continues) this.#checkContinuation(process, continues.reference);
    this.onStep(process, 'policy');
    if (plan.slowPolicy && this.#isActive) {
      // When a checkout is continued, the policy may take so long that the order is recorded meanwhile.
      const isLong = continues !== undefined && random.chance(0.4);
      await world.sleep(isLong ? random.log(8000, 20_000) : random.log(5, 8000), process);
    }
    if (continues && isPaid(await database.find(continues.reference)))
      journal.knownAfterPolicy.add(request);
    if (this.#isActive && random.chance(plan.policy)) throw new Error('the policy failed');
    if (journal.erasures.has(shopper.id)) throw new Error('the user has signed out');
    const item = JSON.parse(request.headers.get('x-item') ?? '') as Item;
    if (widget === 'nft') return { params: createNftParams(item) };
    return {
      params: {
        walletAddress: item.wallet,
        walletAddressLocked: '1',
        ...(item.amount && { amount: item.amount }),
      },
      ...(item.isBound && { expectedAmount: item.amount, expectedFiatCurrency: 'USD' }),
    } as CheckoutGrant;
  }

  #checkContinuation(process: WorldProcess, reference: string): void {
    const { world, plan, service, journal } = this.options;
    const ids = service.orders.flatMap(({ id, payment }) =>
      payment.reference === reference ? [id] : [],
    );
    // Ignore deliveries of the last seconds: the request may have begun before them, and then waited for the list and
    // the store. If the process was frozen, the request may have begun much earlier.
    if (process.frozenUntilMs > world.nowMs - 15_000 || process.suspendedMs > 0) return;
    const sinceMs = world.nowMs - (plan.slowDatabase || plan.database ? 15_000 : 4500);
    const delivered = journal.calls.find(
      ({ orderId, atMs }) => ids.includes(orderId) && atMs < sinceMs,
    );
    // The documents promise nothing while a clock is further off than MAX_SKEW_MS.
    if (delivered && !plan.jump && plan.skew <= MAX_SKEW_MS)
      world.violate('policy-known', `${reference} was to continue after ${delivered.key}`);
  }

  /** What the partner does in `deliver` and `review`. */
  async #handle(
    process: WorldProcess,
    order: OrderToDeliver | OrderToReview,
    transaction: unknown,
  ): Promise<void> {
    const { world, plan, journal } = this.options;
    const { key, orderId, state } = order;
    const change = journal.handling.get(process);
    const { matchStatus = '', resolution } = change?.record ?? {};
    world.tell(`${process.name} is called for ${key} as ${matchStatus}, tries ${change?.tries}`);
    if (change?.record.order.orderId !== orderId)
      world.violate('key', `${key} is not the change that is handled`);
    // A suspended machine may have missed that another instance took its lease. Then both deliver.
    const acknowledger = journal.acknowledged.get(key);
    if (acknowledger && acknowledger.suspendedMs + process.suspendedMs === 0)
      world.violate('redelivered', `${key} was delivered again`);
    if (journal.leases.get(process)?.hasLease() === false)
      world.violate('delivered-without-lease', `${key}, by ${process.name}`);
    const resolved = journal.resolutions.get(orderId);
    if (resolution && state !== 'unknown')
      world.violate('resolution-unseen', `${key} although it is ${resolution}`);
    // A delivery may have begun this long ago, or even earlier if its process was frozen.
    const readMs = world.nowMs - 2 * plan.tracker.deliverySeconds * 1000;
    const isLate =
      resolved !== undefined &&
      state !== 'unknown' &&
      resolved.atMs < readMs &&
      process.frozenUntilMs <= resolved.atMs &&
      process.suspendedMs === 0;
    if (isLate) world.violate('resolution-unseen', `${key}, ${resolved.outcome} before`);
    const earlier = journal.calls.filter((call) => call.key === key);
    // An instance that froze, or could not renew its lease, may still be in the middle of a delivery.
    const hasFrozen = (call: DeliveryCall) =>
      this.instances.some(
        (instance) => instance.process === call.process && (instance.frozenAtMs ?? 0) >= call.atMs,
      );
    // A SQL store rolls the transaction of a callback back after ten seconds, although the callback may hang on.
    const deliveryMs = plan.tracker.deliverySeconds * 1000;
    const limitMs = plan.store === 'memory' ? deliveryMs : Math.min(deliveryMs, 10_000);
    const other = earlier.find(
      (call) =>
        !call.isOver &&
        call.process !== process &&
        !call.process.isDead &&
        !hasFrozen(call) &&
        call.process.suspendedMs === 0 &&
        world.nowMs - call.atMs < limitMs,
    );
    const canRenew = !plan.database && !plan.slowDatabase && process.suspendedMs === 0;
    if (other && canRenew)
      world.violate('delivered-at-once', `${key}, by ${other.process.name} and ${process.name}`);
    const clockMs = process.wall();
    // A pause that seems longer than an hour was set by a clock that is ahead, so the change is due at once. Such
    // deliveries do not count.
    const soon = earlier.filter((call, index) => {
      const pauseMs = (earlier[index + 1]?.clockMs ?? clockMs) - call.clockMs;
      return pauseMs >= 0 && pauseMs < MAX_BACKOFF_SECONDS * 1000;
    });
    // An NFT order has up to three changes, each with its own attempts.
    if (soon.length > (plan.poisonKey ? 200 : 120))
      world.violate(
        'delivery-storm',
        `${key} was delivered again within an hour ${soon.length} times`,
      );
    const call = { key, orderId, atMs: world.nowMs, clockMs, process, isOver: false };
    journal.calls.push(call);
    try {
      await this.#book(process, order, matchStatus, transaction as Kysely<ShopTables> | undefined);
    } finally {
      call.isOver = true;
    }
  }

  async #book(
    process: WorldProcess,
    { key, orderId }: OrderToDeliver | OrderToReview,
    status: string,
    transaction: Kysely<ShopTables> | undefined,
  ): Promise<void> {
    const { world, plan, journal } = this.options;
    const random = world.random(`partner-${process.name}`);
    const fault = this.#decidePartnerFault(random);
    if (fault) world.tell(`${process.name}: the partner's code ${fault} at ${key}`);
    const fail = (when: string) => {
      journal.failedDeliveries.set(key, world.nowMs);
      return new Error(`the partner failed ${when}`);
    };
    const hang = () => {
      fail('and hangs');
      return new Promise<never>(() => {});
    };
    this.onStep(process, 'delivery');
    if (this.isPoisoned(orderId) && world.nowMs < plan.activeMs + 3_600_000) throw fail('always');
    if (fault === 'throws') throw fail('before');
    const isSlow = plan.slowPartner && this.#isActive && random.chance(0.7);
    const slowMs = isSlow ? random.log(1000, plan.tracker.deliverySeconds * 900) : 0;
    const faultMs = fault === 'is slow' ? random.log(100, transaction ? 8000 : 90_000) : 0;
    if (fault === 'is slow') fail('by being slow');
    if (transaction) {
      // The row is in the transaction of the change, so it can be there only once.
      await transaction
        .insertInto('bookings')
        .values({ key, status })
        .execute()
        .catch((error: unknown) => {
          if (/unique|duplicate/i.test(`${error}`))
            world.violate('booked-twice', `${key}, by ${process.name}`);
          throw error;
        });
      // It locks a SQLite file, and has ten seconds (docs/deployment.md).
      const locksMs = plan.booksInTransaction && random.chance(0.7) ? Math.min(slowMs, 8000) : 0;
      await world.sleep(Math.max(faultMs, locksMs), process);
    } else await world.sleep(random.log(0.5, 30) + slowMs + faultMs, process);
    if (fault === 'hangs') await hang();
    const booking = { status, atMs: world.nowMs };
    if (!transaction && !journal.bookings.has(key)) journal.bookings.set(key, booking);
    this.onStep(process, 'booking');
    if (process.isDead) return new Promise(() => {});
    if (fault === 'throws late') throw fail('after booking');
    if (fault === 'hangs late') await hang();
    journal.uncommitted.set(process, { key, booking });
  }

  /** Returns whether an order cannot be booked: the shop's first one. */
  isPoisoned(orderId: string): boolean {
    const { plan, service } = this.options;
    const first = service.orders.find(({ payment }) => !payment.truth.isStranger);
    return plan.poisonKey && first?.id === orderId;
  }

  #decidePartnerFault(random: Random): string {
    const { plan } = this.options;
    const faults = ['throws', 'throws late', 'is slow', 'is slow'];
    if (plan.hangingPartner) faults.push('hangs', 'hangs', 'hangs', 'hangs late');
    const fault = random.pick(faults);
    return random.chance(plan.partner) && this.#isActive ? fault : '';
  }
}

export const createNftParams = ({ wallet, token, orderNo }: Item) => ({
  contractAddress: '0x8c5a2f94be07d1636f0e9b3ad4752c81e09f6d35',
  nftNetwork: 'polygon',
  type: 'MARKET' as const,
  tokenId: token,
  ownerWalletAddress: '0x0000000000000000000000000000000000000abc',
  transferWalletAddress: '0x4f1e1d0a7e5b3c92d86a40f7be21c9350d7a6e18',
  cryptoCurrency: 'USDC',
  amount: '5',
  walletAddress: wallet,
  walletAddressTag: '',
  ...(orderNo && { merchantOrderNo: orderNo }),
});
