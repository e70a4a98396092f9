import { RampError } from '../../../protocol/errors/RampError.js';
import { trace } from '../../diagnostics.js';
import { isCreatedReference } from '../../internal/reference.js';
import { getSeconds, type Runtime } from '../../internal/runtime.js';
import { withTimeLimit } from '../../internal/withTimeLimit.js';
import { describeOrder } from '../orderMessages.js';
import { findOutcome, type OrderHistory, type Outcome } from '../outcomes.js';
import { MAX_BACKOFF_SECONDS, type PendingChange } from '../store/OrderStore.js';
import type { TrackerSettings } from './trackerOptions.js';

const FIRST_RETRY_SECONDS = 5;

/** Returns the exponential backoff after a failed delivery, in seconds. */
const getBackoffSeconds = (tries: number): number =>
  Math.min(FIRST_RETRY_SECONDS * 2 ** tries, MAX_BACKOFF_SECONDS);

/** The part of a sync that hands recorded changes to `deliver` and `review`. */
export interface Deliverer {
  /**
   * Handles the due changes, untried ones first. If one fails, it is postponed, and the others are still handled.
   *
   * The callback and the removal of the change are one transaction of the store. What the callback does elsewhere may
   * happen again, with the same key, if the process ends before the commit.
   *
   * @param hasLease - Returns whether this instance still has the lease. Without the lease, delivery stops, because
   * another instance may deliver.
   * @param isOver - Returns whether the sync's time is up. If so, the next sync handles the rest.
   * @throws the errors of the store.
   */
  deliver(signal: AbortSignal, hasLease: () => boolean, isOver: () => boolean): Promise<void>;
  /** The number of changes handled since `deliver` was last called. */
  readonly delivered: number;
}

export function createDeliverer(settings: TrackerSettings): Deliverer {
  const { store, deliverAt, deliver, review, deliverySeconds, onError, runtime } = settings;
  let delivered = 0;

  /** Calls `deliver` or `review` for a change, and returns the order's new history. */
  async function handleChange(
    outcome: Outcome,
    history: OrderHistory,
    transaction: unknown,
  ): Promise<OrderHistory> {
    switch (outcome.action) {
      case 'deliver':
        await deliver(outcome.order, transaction);
        return { ...history, deliveredAt: getSeconds(runtime) };
      case 'review':
        await review(outcome.order, outcome.reason, transaction);
        return {
          ...history,
          reviewedFor: [...new Set([...(history.reviewedFor ?? []), outcome.reason])],
        };
      case 'none':
        return history;
    }
  }

  /** @param mustStop - Called again inside the transaction, which the store may have been slow to begin. */
  async function deliverChange(pending: PendingChange, mustStop: () => boolean): Promise<void> {
    const { key, tries } = pending;
    const fields = { ...describeOrder(pending.record), attempt: tries + 1 };
    let isHandled = false;
    try {
      await trace('partner-ramp:delivery', runtime, fields, async (update) => {
        let outcome: Outcome | undefined;
        const result = await callInTime(() =>
          store.handleChange(pending, async (change, history, transaction) => {
            outcome = mustStop() ? undefined : findOutcome(change, history, deliverAt);
            if (!outcome) throw STOPPED;
            return handleChange(outcome, history, transaction);
          }),
        ).catch((error: unknown) => {
          if (error !== STOPPED) throw error;
        });
        // The transaction is committed only now.
        isHandled = result === true;
        update({
          outcome: DONE[outcome?.action ?? 'none'],
          ...(outcome?.action === 'review' && { reviewReason: outcome.reason }),
        });
      });
    } catch (error) {
      onError(error);
      await store.postponeChange(key, getSeconds(runtime) + getBackoffSeconds(tries));
      return;
    }
    if (isHandled) delivered++;
    // The change was handled or deleted after it was listed. If the store still lists it, it must not keep others
    // waiting.
    else if (!mustStop())
      await store.postponeChange(key, getSeconds(runtime) + MAX_BACKOFF_SECONDS);
  }

  /**
   * Limits the time of a call. A callback that never settles would keep the lease, and so keep every instance from
   * syncing. SQL stores have their own, shorter limit.
   */
  const callInTime = (call: () => Promise<unknown>): Promise<unknown> =>
    withTimeLimit<unknown>(
      {
        runtime,
        limitMs: deliverySeconds * 1000,
        onTimeout() {
          const message = `deliver or review did not finish within ${deliverySeconds} seconds. It is called again later with the same key. Await less in it: write a row, and let a job of your own do what takes long.`;
          throw new RampError('ERR_TIMEOUT', message);
        },
      },
      call,
    );

  async function deliverDue(
    signal: AbortSignal,
    hasLease: () => boolean,
    isOver: () => boolean,
  ): Promise<void> {
    const mustStop = () => signal.aborted || !hasLease();
    for (let begun = 0; ; begun++) {
      const [change] = await store.listPendingChanges(getSeconds(runtime), 1);
      // Check after the read, during which the process may have been frozen for longer than the lease. The first change
      // is handled even if reading the list has used up the time.
      if (!change || mustStop() || (begun > 0 && isOver())) return;
      warnUnknownReference(runtime, change);
      await deliverChange(change, mustStop);
    }
  }

  return {
    get delivered() {
      return delivered;
    },
    deliver(signal, hasLease, isOver) {
      delivered = 0;
      return deliverDue(signal, hasLease, isOver);
    },
  };
}

/** Thrown to roll back a transaction in which nothing has happened. */
const STOPPED = new Error('The sync has stopped.');

/** The outcome that diagnostics report for each action. */
const DONE = { deliver: 'delivered', review: 'reviewed', none: 'skipped' } as const;

/**
 * Warns once in development when an order has a reference that this package created, but that the store does not have.
 * Orders of other systems cause no warning, because they have no `ext`, or an `ext` in another format.
 */
function warnUnknownReference(runtime: Runtime, { record }: PendingChange): void {
  if (record.matchStatus !== 'unmatched' || !isCreatedReference(record.order.ext ?? '')) return;
  runtime.warnOnce(
    'An order has the reference of a checkout that is not in the store, so it goes to review. Give every process the same store. A memoryOrderStore() also loses its checkouts when the process restarts.',
  );
}
