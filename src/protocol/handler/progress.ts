import type { CheckoutProgress, CheckoutResponse } from './CheckoutResponse.js';

/** What these functions read of a checkout. */
type State = Pick<CheckoutResponse, 'progress' | 'widget'>;

/** Returns whether the backend knows an order of the checkout, in any state. */
export const hasOrder = ({ progress }: Pick<State, 'progress'>): boolean =>
  progress !== 'waiting' && progress !== 'expired';

/** Returns whether the order list has a paid order of the checkout. */
export const isPaid = ({ progress }: Pick<State, 'progress'>): boolean =>
  progress === 'finished' || progress === 'settlement' || progress === 'settled';

/** Returns whether the checkout has reached its last state: `settled`, or `finished` for an on-ramp checkout. */
export const isTerminal = ({ progress, widget }: State): boolean =>
  progress === 'settled' || (progress === 'finished' && widget === 'on-ramp');

/** How far each state is from the payment on. `review`, and states of a newer backend, are in no order. */
const ranks: Partial<Record<CheckoutProgress, number>> = {
  waiting: 0,
  unconfirmed: 0,
  expired: 0,
  finished: 1,
  settlement: 2,
  settled: 3,
};

/**
 * Returns whether `next` is older than `known`: it lacks the payment, or the settlement of an NFT. A slow proxy or a
 * lagging replica may return such a state.
 */
export const isOlder = (
  next: Pick<State, 'progress'>,
  known: Pick<State, 'progress'> | undefined,
): boolean => {
  const nextRank = ranks[next.progress];
  const knownRank = known && ranks[known.progress];
  return nextRank !== undefined && knownRank !== undefined && nextRank < knownRank;
};
