import type { CheckoutProgress, CheckoutResponse, OrderSummary } from './CheckoutResponse.js';

/** The part of a checkout that these functions read. */
type State = Pick<CheckoutResponse, 'progress' | 'widget'>;

interface ProgressFacts {
  /** Whether the backend knows an order of the checkout, in any state. */
  readonly hasOrder: boolean;
  /** Whether the order list contains a paid order of the checkout. */
  readonly isPaid: boolean;
  /** Whether the state may change within minutes. A checkout in review may stay there for days. */
  readonly isActive: boolean;
  /** How many of the steps that a shopper sees are done. */
  readonly doneSteps: number;
  /**
   * The state's place in the sequence, where all states before payment share 0. A review can come at any time, so it
   * has no rank.
   */
  readonly rank: number | undefined;
}

const allSteps = Number.POSITIVE_INFINITY;
const open = { isActive: true, rank: 0 };
const paid = { hasOrder: true, isPaid: true, isActive: true, doneSteps: allSteps };

/** The facts about each value of `progress`. `isTerminal` is not one of them, because it also depends on the widget. */
const table: Readonly<Record<CheckoutProgress, ProgressFacts>> = {
  waiting: { ...open, hasOrder: false, isPaid: false, doneSteps: 0 },
  unconfirmed: { ...open, hasOrder: true, isPaid: false, doneSteps: 1 },
  expired: { hasOrder: false, isPaid: false, isActive: false, doneSteps: 0, rank: 0 },
  review: { hasOrder: true, isPaid: false, isActive: false, doneSteps: 1, rank: undefined },
  finished: { ...paid, rank: 1 },
  settlement: { ...paid, rank: 2 },
  settled: { ...paid, rank: 3 },
};

/** A newer backend may send other states. They must not look like a missing payment. */
const unknown: ProgressFacts = { ...table.unconfirmed, rank: undefined };

const getFacts = ({ progress }: Pick<State, 'progress'>): ProgressFacts =>
  table[progress] ?? unknown;

/** Returns the progress, or `unconfirmed` for one that this version does not know. */
export const toKnownProgress = (progress: CheckoutProgress): CheckoutProgress =>
  Object.hasOwn(table, progress) ? progress : 'unconfirmed';

/** Returns whether the backend knows an order of the checkout, in any state. */
export const hasOrder = (checkout: Pick<State, 'progress'>): boolean => getFacts(checkout).hasOrder;

/** Returns whether the order list contains a paid order of the checkout. */
export const isPaid = (checkout: Pick<State, 'progress'>): boolean => getFacts(checkout).isPaid;

/** Returns whether an order is paid, which is true in every known state. */
export const isPaidOrder = ({ state }: Pick<OrderSummary, 'state'>): boolean => state !== 'unknown';

/** Returns whether the checkout has reached its last state: `settled`, or `finished` for an on-ramp checkout. */
export const isTerminal = ({ progress, widget }: State): boolean =>
  progress === 'settled' || (progress === 'finished' && widget === 'on-ramp');

/** Returns whether the checkout's state may change within minutes. */
export const isActive = (checkout: State): boolean =>
  getFacts(checkout).isActive && !isTerminal(checkout);

/** Returns how many of `steps` steps are done. */
export const countDoneSteps = (checkout: Pick<State, 'progress'>, steps: number): number =>
  Math.min(getFacts(checkout).doneSteps, steps);

/**
 * Returns whether `next` is older than `known`, because it lacks a payment or a settlement that `known` includes. A
 * slow proxy or a lagging replica may return such a state.
 */
export const isOlder = (
  next: Pick<State, 'progress'>,
  known: Pick<State, 'progress'> | undefined,
): boolean => {
  const nextRank = getFacts(next).rank;
  const knownRank = known && getFacts(known).rank;
  return nextRank !== undefined && knownRank !== undefined && nextRank < knownRank;
};
