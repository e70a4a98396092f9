import { createHash } from 'node:crypto';
import type { Plan } from './plan.js';
import { EPOCH_MS, type World } from './world.js';

export type Widget = 'on-ramp' | 'nft';
export type KnownState = 'unknown' | 'finished' | 'settlement' | 'settled';

interface Step {
  readonly timeMs: number;
  /** The number of the state in the order list. */
  readonly status: number;
  readonly state: KnownState;
}

/** The facts of a payment that the audit knows and the shop must find out. */
interface Truth {
  /** The value that the shopper changed: `token`, `wallet`, `amount` or `currency`. */
  readonly tampered?: string | undefined;
  readonly isStranger?: boolean;
}

export interface Payment {
  /** The `ext` of the widget's URL. */
  readonly reference: string | undefined;
  readonly widget: Widget;
  readonly walletAddress: string;
  readonly nft?: Readonly<Record<string, string | undefined>> | undefined;
  readonly fiat: { readonly amount: string; readonly currency: string };
  readonly truth: Truth;
  /** Whether the service finishes the order within 20 seconds, and lists it at once and without faults. */
  readonly isPrompt?: boolean;
  /** Whether the service lists a prompt order up to a minute late. */
  readonly isLate?: boolean;
}

/** An order, with everything that the service will report of it. */
export interface ServiceOrder {
  readonly id: string;
  readonly payment: Payment;
  /** Whether the order fails, and so is never listed. */
  readonly fails: boolean;
  readonly finishedAtMs: number;
  /** When the order first appears in the list. */
  readonly listedAtMs: number;
  /** The periods in which the list lacks the order. */
  readonly gaps: (readonly [fromMs: number, toMs: number])[];
  /** Until this time, the order's entry in the list is malformed. */
  readonly malformedUntilMs: number;
  readonly steps: readonly Step[];
  readonly entry: Readonly<Record<string, unknown>>;
}

export interface Webhook {
  readonly order: ServiceOrder;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The hash of the signed text, under which the shop stores it. */
  readonly hash: string;
}

const STATUS = { 'on-ramp': { finished: 3 }, nft: { finished: 1, settlement: 2, settled: 3 } };
const UNKNOWN_STATUS = 9;
/** The status of an order that was taken back, which the package does not know either. */
const UNDONE_STATUS = 10;
const SHOP_WEBHOOK = 'shop.example/api/ramp/webhook';

const DAY_MS = 86_400_000;
/**
 * The time by which the fault `badDay` outlasts the other faults. During this fault, the service cannot list an earlier
 * day.
 */
const BAD_DAY_MS = 6 * 3_600_000;

const toSeconds = (ms: number) => Math.floor((EPOCH_MS + ms) / 1000);

/** The hosted service. It takes payments, lists orders, and sends a webhook once, late, twice or never. */
export class Service {
  readonly orders: ServiceOrder[] = [];
  /** How many pages of the order list were requested. */
  lists = 0;
  /** When an outdated list was last sent. */
  staleAtMs = Number.NEGATIVE_INFINITY;
  onWebhook: (webhook: Webhook) => void = () => {};
  #nonce = 100_000;

  constructor(
    readonly world: World,
    readonly plan: Plan,
  ) {}

  pay(payment: Payment): ServiceOrder {
    const { world, plan } = this;
    const random = world.random('service');
    const id = `o${this.orders.length + 1}-${random.int(0, 999_999)}`;
    const { isPrompt = false } = payment;
    const fails = random.chance(0.15) && plan.fail && !isPrompt;
    const finishedAtMs = world.nowMs + random.log(2000, isPrompt ? 20_000 : 15 * 60_000);
    const promptMs = payment.isLate ? world.random('late').log(1000, 60_000) : 0;
    const lateMs = isPrompt ? promptMs : this.#decideDelay();
    const listedAtMs = finishedAtMs + lateMs;
    const gapFrom = listedAtMs + random.log(1000, 3_600_000);
    const gapTo = gapFrom + random.log(1000, 600_000);
    const hasGap = random.chance(0.4) && plan.shrink && !isPrompt;
    const malformedMs = random.log(1000, 7_200_000);
    const isMalformed = random.chance(0.3) && plan.malformed && !isPrompt;
    const lasting = isPrompt
      ? [
          {
            timeMs: finishedAtMs,
            status: STATUS[payment.widget].finished,
            state: 'finished' as const,
          },
        ]
      : this.#createSteps(payment.widget, finishedAtMs);
    const steps = isPrompt ? lasting : this.#undo(lasting);
    const order: ServiceOrder = {
      id,
      payment,
      fails,
      finishedAtMs,
      listedAtMs,
      gaps: hasGap ? [[gapFrom, gapTo]] : [],
      malformedUntilMs: isMalformed ? listedAtMs + malformedMs : 0,
      steps,
      entry: {
        orderId: id,
        userId: 'u',
        payTime: `${toSeconds(world.nowMs)}`,
        deliverTime: toSeconds(finishedAtMs - 500),
        finishTime: `${toSeconds(finishedAtMs)}`,
        fiatCurrency: payment.fiat.currency,
        currencyAmount: payment.fiat.amount,
        cryptoCurrency: 'USDT',
        cryptoCurrencyAmount: '97.09',
        walletAddress: payment.walletAddress,
        txHash: '0xf00d',
        network: 'eth',
        ext: payment.reference ?? '',
        ...(payment.nft && { nftDetails: [payment.nft] }),
      },
    };
    this.orders.push(order);
    world.tell(
      `the service takes payment ${id} of ${payment.reference ?? 'nobody'} (${payment.widget}), ${
        fails
          ? 'which fails'
          : `finished in ${((finishedAtMs - world.nowMs) / 1000).toFixed(1)} s, listed ${(lateMs / 1000).toFixed(1)} s later`
      }${payment.truth.tampered ? `, with another ${payment.truth.tampered}` : ''}`,
    );
    if (!fails)
      for (const step of steps)
        if (step.state === 'finished' || step.state === 'settled') this.#announce(order, step);
    if (fails && random.chance(0.8)) this.#announce(order, steps[0] as Step);
    return order;
  }

  #decideDelay(): number {
    const { plan, world } = this;
    const random = world.random('service');
    const isLate = random.chance(0.5) && plan.late;
    const delay = random.weighted([
      [4, random.log(1000, 90_000)],
      [3, random.log(60_000, 0.8 * plan.tracker.lookbackSeconds * 1000)],
      [0.7, random.log(600_000, 40 * 3_600_000)],
    ]);
    return isLate ? delay : 0;
  }

  #createSteps(widget: Widget, finishedAtMs: number): Step[] {
    const random = this.world.random('service');
    const steps: Step[] = [];
    let timeMs = finishedAtMs;
    if (random.chance(this.plan.stuck ? 0.2 : 0.07)) {
      steps.push({ timeMs, status: UNKNOWN_STATUS, state: 'unknown' });
      timeMs += random.log(5000, 1_800_000);
      if (random.chance(0.4) && this.plan.stuck) return steps;
    }
    steps.push({ timeMs, status: STATUS[widget].finished, state: 'finished' });
    if (widget === 'on-ramp' || random.chance(0.3)) return steps;
    // Some pages must still be open when the next state comes, and some users must not be erased yet.
    const { watches, erasesLate, resolvesAtOnce } = this.plan;
    const isSoon = watches > 0 || erasesLate || resolvesAtOnce;
    timeMs += random.log(10_000, isSoon ? 300_000 : 6 * 3_600_000);
    if (random.chance(0.6)) {
      steps.push({ timeMs, status: STATUS.nft.settlement, state: 'settlement' });
      timeMs += random.log(5000, erasesLate || resolvesAtOnce ? 120_000 : 3 * 3_600_000);
    }
    if (random.chance(0.85)) steps.push({ timeMs, status: STATUS.nft.settled, state: 'settled' });
    return steps;
  }

  /** Sometimes adds an unknown status after the last state. */
  #undo(steps: readonly Step[]): readonly Step[] {
    const random = this.world.random('undone');
    const afterMs = random.log(60_000, 7_200_000);
    const last = steps.at(-1);
    if (!random.chance(this.plan.undone) || !last || last.state === 'unknown') return steps;
    const timeMs = last.timeMs + afterMs;
    return [...steps, { timeMs, status: UNDONE_STATUS, state: 'unknown' }];
  }

  #announce(order: ServiceOrder, step: Step): void {
    const { world, plan } = this;
    const random = world.random('webhooks');
    const delayMs = random.log(50, plan.webhookChaos ? 240_000 : 2000);
    const againMs = random.log(100, 400_000);
    const isSentTwice = random.chance(0.3) && plan.webhookChaos;
    if (random.chance(plan.webhookLoss)) return;
    world.after(step.timeMs - world.nowMs + delayMs, () => {
      const webhook = this.#sign(order, step, Math.min(delayMs, 1000));
      this.onWebhook(webhook);
      if (isSentTwice) world.after(againMs, () => this.onWebhook(webhook));
    });
  }

  #sign(order: ServiceOrder, step: Step, delayMs: number): Webhook {
    const signed = {
      'x-fp-nonce': `${++this.#nonce}`,
      'x-fp-timestamp': `${toSeconds(step.timeMs + delayMs)}`,
      'x-fp-version': 'v1.0',
    };
    const items = Object.entries(signed).map(([name, value]) => `${name}=${value}`);
    const text = `POST${SHOP_WEBHOOK}?${items.join('&')}`;
    const content = { ...order.entry, orderStatus: step.status };
    return {
      order,
      headers: { ...signed, 'x-fp-signature': signText(text), 'content-type': 'application/json' },
      body: JSON.stringify(this.plan.wrapsWebhook ? { order: content } : content),
      hash: createHash('sha256').update(text).digest('hex'),
    };
  }

  /**
   * Returns the state of `order` that the list shows at `atMs`, or undefined while the list does not contain the order.
   */
  findListedStep(order: ServiceOrder, atMs: number): Step | undefined {
    if (order.fails || order.listedAtMs > atMs) return undefined;
    if (order.gaps.some(([from, to]) => atMs >= from && atMs < to)) return undefined;
    return order.steps.findLast(({ timeMs }) => timeMs <= atMs);
  }

  /**
   * Returns the IDs of the orders of a range that the list has contained from `fromMs` until now. It returns none if
   * orders have left the list and others have come: if the count stays the same, nobody can see that orders have moved
   * to earlier pages.
   */
  findListed(range: { readonly startTime: number; readonly endTime: number }, fromMs: number) {
    const { nowMs } = this.world;
    if (this.staleAtMs >= fromMs) return [];
    const isWithin = (atMs: number) => atMs > fromMs && atMs <= nowMs;
    const hasLeft = this.orders.some(({ gaps }) => gaps.some(([from]) => isWithin(from)));
    const hasCome = this.orders.some(
      ({ gaps, listedAtMs }) => isWithin(listedAtMs) || gaps.some(([, to]) => isWithin(to)),
    );
    if (hasLeft && hasCome) return [];
    return this.orders.flatMap((order) => {
      const { id, fails, finishedAtMs, listedAtMs, gaps, malformedUntilMs } = order;
      const finishedAt = toSeconds(finishedAtMs);
      const isInRange = finishedAt >= range.startTime && finishedAt <= range.endTime;
      const isListed = !fails && listedAtMs <= fromMs && malformedUntilMs <= fromMs;
      const isGone = gaps.some(([from, to]) => from <= nowMs && to > fromMs);
      return isInRange && isListed && !isGone ? [id] : [];
    });
  }

  /** Returns whether the service cannot list this range, because of a record of an earlier day. */
  hasBadDay(query: URLSearchParams): boolean {
    const { world, plan } = this;
    const isBad = plan.badDay && world.nowMs < plan.activeMs + BAD_DAY_MS;
    return isBad && Number(query.get('startTime')) < toSeconds(-DAY_MS / 2);
  }

  /** Lets an order leave the list for a while, soon after the first page of the list was read. */
  #hideOrder(listed: readonly ServiceOrder[]): void {
    const { world, plan } = this;
    const random = world.random('gaps');
    const order = random.pick(listed);
    const fromMs = world.nowMs + random.log(1, 2000);
    const toMs = fromMs + random.log(1000, 600_000);
    if (random.chance(0.2) && plan.shrink && !order.payment.isPrompt)
      order.gaps.push([fromMs, toMs]);
  }

  /** Returns the body of the order list as it was at `atMs`. */
  list(query: URLSearchParams, atMs: number): unknown {
    this.lists++;
    const { ends, isNewestFirst, maxPageSize, countsEarly } = this.plan.list;
    const start = Number(query.get('startTime'));
    const end = Number(query.get('endTime'));
    const page = Number(query.get('page') ?? 1);
    const size = Math.min(Number(query.get('size') ?? 20), maxPageSize);
    const isInRange = ({ finishedAtMs }: ServiceOrder) => {
      const time = toSeconds(finishedAtMs);
      const isAfter = ends === 'both' || ends === 'start' ? time >= start : time > start;
      return isAfter && (ends === 'both' || ends === 'end' ? time <= end : time < end);
    };
    const inRange = this.orders.filter(isInRange);
    const listed = inRange.filter((order) => this.findListedStep(order, atMs));
    const direction = isNewestFirst ? -1 : 1;
    listed.sort(
      (a, b) =>
        direction *
        (toSeconds(a.finishedAtMs) - toSeconds(b.finishedAtMs) || (a.id < b.id ? -1 : 1)),
    );
    const isEarly = ({ fails, finishedAtMs, listedAtMs }: ServiceOrder) =>
      !fails && finishedAtMs <= atMs && listedAtMs > atMs && listedAtMs - atMs < 5000;
    const isActive = this.world.nowMs < this.plan.activeMs;
    if (isActive && page === 1 && listed.length > size) this.#hideOrder(listed);
    const early = countsEarly && isActive ? inRange.filter(isEarly).length : 0;
    const entries = listed.slice((page - 1) * size, page * size).map((order) => ({
      ...order.entry,
      orderStatus:
        atMs < order.malformedUntilMs ? 'paid?' : this.findListedStep(order, atMs)?.status,
    }));
    const data = { page, size, totalCount: listed.length + early, list: entries };
    return { code: 10000, msg: '', data };
  }
}

/** Signs for the service and for the partner. A hash takes the place of RSA, which would be slow. */
export const signText = (text: string): string =>
  createHash('sha256').update('rsa').update(text).digest('base64');
