import { createRandom } from './random.js';

const MINUTE = 60_000;
const HOUR = 3_600_000;

export const storeKinds = ['memory', 'sqlite', 'postgres'] as const;
export type StoreKind = (typeof storeKinds)[number];

/** The faults that a seed may have. Each can be switched off by name. A new fault also needs a value in `shrink.ts`. */
export const faultNames = [
  'crash',
  'scaleIn',
  'stop',
  'freeze',
  'suspend',
  'outage',
  'network',
  'front',
  'database',
  'slowDatabase',
  'skew',
  'jump',
  'partner',
  'slowPartner',
  'hangingPartner',
  'poisonKey',
  'policy',
  'slowPolicy',
  'webhookLoss',
  'webhookChaos',
  'late',
  'shrink',
  'malformed',
  'replica',
  'strangers',
  'tamper',
  'fail',
  'payTwice',
  'stuck',
  'erase',
  'badDay',
  'operator',
  'functions',
  'duplicates',
  'undone',
] as const;
export type FaultName = (typeof faultNames)[number];

export interface PlanOptions {
  readonly store?: StoreKind;
  /** Whether the run has few people and at most 25 active minutes. */
  readonly isShort?: boolean;
  /** The faults to switch off. */
  readonly without?: readonly FaultName[];
  /** The largest number of people. */
  readonly people?: number;
  readonly override?: Partial<Plan>;
}

/** Everything that a seed decides before the run. Probabilities are from 0 to 1; 0 means that the fault is off. */
export interface Plan {
  readonly store: StoreKind;
  /** How long people act and faults happen. */
  readonly activeMs: number;
  readonly instances: number;
  readonly people: number;
  readonly tracker: {
    readonly pollSeconds: number;
    readonly maxPollSeconds: number;
    readonly pageSize: number;
    readonly lookbackSeconds: number;
    readonly deliverySeconds: number;
    readonly retentionSeconds?: number;
    readonly unopenedRetentionSeconds?: number;
  };
  readonly checkoutSeconds: number;
  /** What the interface leaves open about the service's order list. */
  readonly list: {
    /** Which ends of the requested range belong to it. */
    readonly ends: 'both' | 'none' | 'start' | 'end';
    readonly isNewestFirst: boolean;
    readonly maxPageSize: number;
    /** Whether `totalCount` counts orders that are not listed yet. */
    readonly countsEarly: boolean;
  };
  readonly wrapsWebhook: boolean;
  /** Chance of a crash or a freeze at each input or output of an instance. */
  readonly crash: number;
  readonly freeze: number;
  /** Chance that a frozen machine is suspended, which also stops its monotonic clock. */
  readonly suspend: number;
  /** Whether a crashed or stopped instance may stay away for good, if another instance remains. */
  readonly scaleIn: boolean;
  readonly stop: boolean;
  /** Share of the active time in which every request to the service fails. */
  readonly outage: number;
  /** Whether the outage is at the beginning, so that the first sync of the shop fails. By default it is at the end. */
  readonly isDownFirst: boolean;
  /** Chance that a request to the service (`network`) or to the shop (`front`) has a fault. */
  readonly network: number;
  readonly front: number;
  readonly database: number;
  readonly slowDatabase: number;
  /** The largest error of an instance's clock at its start, in milliseconds. A `jump` can set a larger error. */
  readonly skew: number;
  readonly jump: boolean;
  readonly partner: number;
  readonly slowPartner: boolean;
  readonly hangingPartner: boolean;
  /** Whether booking the first order fails until the order is settled, or until an hour after the faults have ended. */
  readonly poisonKey: boolean;
  /** Whether the partner books in a transaction of the order store's database. */
  readonly booksInTransaction: boolean;
  readonly policy: number;
  readonly slowPolicy: boolean;
  readonly webhookLoss: number;
  readonly webhookChaos: boolean;
  readonly late: boolean;
  readonly shrink: boolean;
  readonly malformed: boolean;
  /** Share of the lists that come from a replica that is behind. */
  readonly replica: number;
  readonly strangers: boolean;
  readonly tamper: boolean;
  readonly fail: boolean;
  /** Whether the last state of an order may be one that the package does not know. */
  readonly stuck: boolean;
  readonly payTwice: boolean;
  /** Share of people who buy an NFT. */
  readonly nft: number;
  readonly watches: number;
  readonly continues: boolean;
  readonly sendsOrderNo: boolean;
  /** Whether the tables of the store do not exist at first. */
  readonly isFresh: boolean;
  /** Whether shoppers may ask the shop to erase their data. */
  readonly erases: boolean;
  /** Whether the service cannot list any range that begins on an earlier day, until hours after the other faults. */
  readonly badDay: boolean;
  /** Whether an operator records the resolutions of orders. */
  readonly operates: boolean;
  /** Whether somebody buys after the faults. Not in every run, because a purchase makes idle instances sync. */
  readonly buysLast: boolean;
  /** Whether somebody buys after all machines have slept, at the end of a short run. */
  readonly buysAfterSleep: boolean;
  /** Whether somebody calls `tracker.sync()` in a shop whose processes live. */
  readonly callsSync: boolean;
  /**
   * Whether each process lives for one request only, and has no timers. A scheduled job requests a sync every minute.
   */
  readonly functions: boolean;
  /**
   * How many milliseconds the service needs for each day of a list. A shop of functions must read a list in parts if the
   * whole takes longer than its processes live.
   */
  readonly listMsPerDay: number;
  /** Whether erasures wait until an order is settled whose first state is still undelivered. */
  readonly erasesLate: boolean;
  /** Whether the operator resolves an order while an instance records its next state. */
  readonly resolvesAtOnce: boolean;
  /** Whether all machines sleep once in the middle of a sync. Meanwhile somebody pays, and the checkout expires. */
  readonly sleepsInSync: boolean;
  /** Chance that a POST to the shop arrives twice, at two instances or at the same one. */
  readonly duplicates: number;
  /** Chance that the service gives an order an unknown status after its last state. */
  readonly undone: number;
}

/**
 * Decides what happens in a run. Most faults are on in only some seeds, and are frequent there. If all faults were
 * always on, they would hide each other.
 */
export function createPlan(seed: string, options: PlanOptions = {}): Plan {
  const { store = 'memory', isShort = false, without = [], people, override } = options;
  const random = createRandom(seed, 'plan');
  const has = (name: FaultName, probability = 0.5) =>
    random.chance(probability) && !without.includes(name);
  const level = (name: FaultName, probability: number, least: number, most: number) => {
    const isOn = has(name, probability);
    const value = random.log(least, most);
    return isOn ? value : 0;
  };
  const long = random.weighted([
    [7, random.log(6 * MINUTE, HOUR)],
    [2, random.log(HOUR, 6 * HOUR)],
    [0.2, random.log(6 * HOUR, 60 * HOUR)],
  ]);
  const short = random.log(4 * MINUTE, 25 * MINUTE);
  const activeMs = Math.round(isShort ? short : long);
  const pollSeconds = random.pick([5, 15, 60, 60]);
  const skew = level('skew', 0.35, 5_000, 2 * HOUR);
  const jump = has('jump', 0.2);
  const purgesEarly = random.chance(0.3);
  const retention = purgesEarly && createRetention(random.chance(0.5) || skew > 0 || jump);
  const instances = random.weighted([
    [3, 1],
    [4, 2],
    [isShort ? 0 : 2, 3],
  ]);
  const plan: Plan = {
    store,
    activeMs,
    instances,
    people: Math.min(random.int(1, isShort ? 2 : 4), people ?? Number.POSITIVE_INFINITY),
    tracker: {
      pollSeconds,
      maxPollSeconds: Math.max(pollSeconds, random.pick([60, 600, 600])),
      pageSize: random.pick([1, 2, 3, 5, 20, 20]),
      lookbackSeconds: random.pick([60, 300, 900, 7200]),
      deliverySeconds: random.pick([8, 30, 60]),
      ...retention,
    },
    checkoutSeconds: isShort
      ? random.pick([600, 600, 1800, 3600])
      : random.weighted([
          [4, 600],
          [3, 1800],
          [1.5, 7200],
          [0.15, 86_400],
        ]),
    list: {
      ends: random.pick(['both', 'none', 'start', 'end']),
      isNewestFirst: random.chance(0.6),
      maxPageSize: random.pick([1000, 1000, 20, 3, 2]),
      countsEarly: random.chance(0.15),
    },
    wrapsWebhook: random.chance(0.3),
    crash: level('crash', 0.5, 0.0005, 0.008),
    freeze: level('freeze', 0.35, 0.0003, 0.01),
    suspend: without.includes('suspend') ? 0 : 0.4,
    scaleIn: has('scaleIn', 0.25),
    stop: has('stop', 0.3),
    outage: level('outage', 0.3, 0.1, 0.7),
    network: level('network', 0.5, 0.01, 0.35),
    front: level('front', 0.5, 0.01, 0.25),
    database: level('database', 0.5, 0.003, 0.15),
    slowDatabase: level('slowDatabase', 0.3, 0.005, 0.1),
    skew,
    jump,
    partner: level('partner', 0.5, 0.02, 0.5),
    slowPartner: has('slowPartner', 0.3),
    hangingPartner: has('hangingPartner', 0.4),
    poisonKey: has('poisonKey', 0.3),
    booksInTransaction: random.chance(0.5) && store !== 'memory',
    policy: level('policy', 0.3, 0.02, 0.3),
    slowPolicy: has('slowPolicy', 0.35),
    webhookLoss: without.includes('webhookLoss') ? 0 : random.pick([0, 0.3, 0.3, 1]),
    webhookChaos: has('webhookChaos'),
    late: has('late', 0.5),
    shrink: has('shrink', 0.25),
    malformed: has('malformed', 0.15),
    replica: level('replica', 0.25, 0.2, 0.6),
    strangers: has('strangers', 0.4),
    tamper: has('tamper', 0.4),
    fail: has('fail', 0.5),
    stuck: has('stuck', 0.4),
    payTwice: has('payTwice', 0.3),
    nft: random.pick(isShort ? [0, 0, 0.5] : [0, 0.3, 0.3, 1]),
    watches: random.chance(isShort ? (store === 'memory' ? 0.35 : 0.08) : 0.6) ? 0.9 : 0,
    continues: random.chance(0.5),
    sendsOrderNo: random.chance(0.5),
    isFresh: random.chance(0.15),
    // A store in memory has neither erasure nor support.
    erases: has('erase', 0.35) && store !== 'memory',
    operates: has('operator', 0.35) && store !== 'memory',
    buysLast: random.chance(0.6),
    badDay: has('badDay', 0.2),
    // A shop of functions starts a process for each request, so its run takes ten times as long as another one. At 5 %
    // these runs took a third of the time.
    functions: has('functions', 0.03),
    isDownFirst: random.chance(0.7),
    buysAfterSleep: random.chance(0.25) && isShort,
    listMsPerDay: random.chance(0.8) ? random.log(260, 340) : 0,
    callsSync: random.chance(0.15),
    erasesLate: random.chance(0.6),
    resolvesAtOnce: random.chance(0.7),
    sleepsInSync: has('suspend', 0.08),
    duplicates: level('duplicates', 0.2, 0.05, 0.5),
    undone: level('undone', 0.3, 0.1, 0.6),
    // Add new fields here, at the end, so that the fields above keep their random values.
  };
  const listMsPerDay = plan.functions ? plan.listMsPerDay : 0;
  // Shoppers pay while all syncs of a new shop fail, for longer than the lookback. Afterwards the shop cannot read the
  // whole week.
  const downFirst = plan.isDownFirst &&
    plan.outage > 0 && {
      outage: Math.max(plan.outage, 0.5),
      tracker: { ...plan.tracker, lookbackSeconds: 60 },
      badDay: !without.includes('badDay'),
      crash: plan.crash && Math.max(plan.crash, 0.006),
    };
  // A partner's code that hangs must do so often enough to be met in a run with few orders.
  const partner = plan.hangingPartner && plan.partner ? Math.max(plan.partner, 0.25) : plan.partner;
  // Only the page of an NFT is still open when later states come.
  const pages = plan.watches > 0 && {
    nft: Math.max(plan.nft, 0.7),
    front: plan.front && Math.max(plan.front, 0.3),
    database: plan.database && Math.max(plan.database, 0.06),
  };
  // A late erasure needs an order with a second state, and a delivery of the first one that fails.
  const erasesLate = plan.erases && plan.erasesLate;
  const erasure = erasesLate && {
    nft: Math.max(plan.nft, 0.8),
    poisonKey: !without.includes('poisonKey'),
  };
  const resolvesAtOnce = plan.operates && plan.resolvesAtOnce;
  const operator = resolvesAtOnce && {
    nft: Math.max(plan.nft, 0.7),
    instances: Math.max(plan.instances, 2),
  };
  // Nothing but the open checkout may make the shop sync when it wakes up.
  const sleep = plan.sleepsInSync && {
    instances: 1,
    checkoutSeconds: 600,
    continues: false,
    watches: 0,
    webhookLoss: 1,
    poisonKey: false,
  };
  const coupled = { listMsPerDay, partner, erasesLate, resolvesAtOnce };
  return {
    ...plan,
    ...coupled,
    ...pages,
    ...erasure,
    ...operator,
    ...sleep,
    ...downFirst,
    ...override,
  };
}

/** Returns retention times. A time that is shorter than the error of the clocks would delete open checkouts. */
const createRetention = (isLong: boolean) =>
  isLong
    ? { retentionSeconds: 2 * 86_400, unopenedRetentionSeconds: 12 * 3600 }
    : { retentionSeconds: 6 * 3600, unopenedRetentionSeconds: 3600 };

export const areClocksRight = ({ skew, jump }: Plan): boolean => skew === 0 && !jump;
