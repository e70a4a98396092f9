import { createPlan, type Plan } from './plan.js';
import { type SimulationOptions, type SimulationResult, simulate } from './simulate.js';

/** What a plan decides besides faults and habits. */
type Frame = 'store' | 'activeMs' | 'instances' | 'people' | 'tracker' | 'checkoutSeconds' | 'list';

/** The values that switch faults and habits off. */
export const OFF: Omit<Plan, Frame> = {
  crash: 0,
  freeze: 0,
  suspend: 0,
  scaleIn: false,
  stop: false,
  outage: 0,
  isDownFirst: false,
  network: 0,
  front: 0,
  database: 0,
  slowDatabase: 0,
  skew: 0,
  jump: false,
  partner: 0,
  slowPartner: false,
  hangingPartner: false,
  poisonKey: false,
  booksInTransaction: false,
  policy: 0,
  slowPolicy: false,
  webhookLoss: 0,
  webhookChaos: false,
  late: false,
  shrink: false,
  malformed: false,
  replica: 0,
  strangers: false,
  tamper: false,
  fail: false,
  stuck: false,
  payTwice: false,
  nft: 0,
  watches: 0,
  continues: false,
  sendsOrderNo: false,
  isFresh: false,
  wrapsWebhook: false,
  erases: false,
  badDay: false,
  operates: false,
  buysLast: false,
  buysAfterSleep: false,
  functions: false,
  listMsPerDay: 0,
  callsSync: false,
  erasesLate: false,
  resolvesAtOnce: false,
  sleepsInSync: false,
  duplicates: 0,
  undone: 0,
};

/** A run with as few faults and people as possible that still breaks the same invariant. */
export interface Shrunk {
  readonly plan: Plan;
  /** The number of lines of the folded story, before and after shrinking. */
  readonly lines: readonly [before: number, after: number];
  readonly result: SimulationResult;
}

/**
 * Reduces a run that breaks an invariant. It switches faults off one by one, and removes people, instances and time,
 * as long as the same invariant stays broken.
 *
 * @returns Undefined if the run breaks no invariant.
 */
export async function shrink(
  seed: string,
  options: SimulationOptions,
): Promise<Shrunk | undefined> {
  const told = { ...options, isTold: true };
  const first = await simulate(seed, told);
  const broken = first.violations[0]?.name;
  if (!broken) return undefined;
  let plan = createPlan(seed, options);
  let result = first;
  const attempt = async (change: Partial<Plan>): Promise<boolean> => {
    const next = { ...plan, ...change };
    if (JSON.stringify(next) === JSON.stringify(plan)) return false;
    const found = await simulate(seed, { ...told, override: next });
    if (!found.violations.some(({ name }) => name === broken)) return false;
    plan = next;
    result = found;
    return true;
  };
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const [name, value] of Object.entries(OFF))
      if (await attempt({ [name]: value })) isSmaller = true;
    if (plan.people > 1 && (await attempt({ people: plan.people - 1 }))) isSmaller = true;
    if (plan.instances > 1 && (await attempt({ instances: 1 }))) isSmaller = true;
    // Every time changes what happens, so a shorter time may break nothing, although a much shorter one does.
    for (const share of [0.25, 0.5, 0.7, 0.85, 0.95])
      if (await attempt({ activeMs: Math.round(plan.activeMs * share) })) {
        isSmaller = true;
        break;
      }
  }
  const lines = [foldStory(first.story).length, foldStory(result.story).length] as const;
  return { plan, lines, result };
}

/** A line of a sync that met no fault. What it recorded follows in other lines. */
const QUIET =
  / (lists orders [^:]*|has read the list up to \d+|the scheduled job gets 200 \{"ran":false\})$/;

/** Folds each run of more than four lines of quiet syncs. After the faults, a story has little else for a day. */
export function foldStory(story: readonly string[]): readonly string[] {
  const folded: string[] = [];
  for (let i = 0; i < story.length; ) {
    const next = story.findIndex((line, at) => at >= i && !QUIET.test(line));
    const end = next < 0 ? story.length : next;
    if (end - i > 4)
      folded.push(
        story[i] as string,
        `  … ${end - i - 2} lines of syncs`,
        story[end - 1] as string,
      );
    else folded.push(...story.slice(i, end));
    folded.push(...story.slice(end, end + 1));
    i = end + 1;
  }
  return folded;
}
