import { RampError } from '../../../protocol/errors/RampError.js';
import { withTimeLimit } from '../../internal/withTimeLimit.js';
import {
  type DeliveryStore,
  MAX_BACKOFF_SECONDS,
  type PendingChange,
} from '../store/DeliveryStore.js';
import { warnUnknownReference } from './warnUnknownReference.js';

const BATCH = 50;
const FIRST_RETRY_SECONDS = 5;

/** Returns the exponential backoff after a change has failed this often. */
const getBackoffSeconds = (tries: number): number =>
  Math.min(FIRST_RETRY_SECONDS * 2 ** tries, MAX_BACKOFF_SECONDS);

interface Delivery {
  readonly store: DeliveryStore;
  readonly deliver: ((change: PendingChange) => unknown) | undefined;
  readonly deliverySeconds: number;
  readonly onError: (error: unknown) => void;
  /** Unix seconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Whether no other instance can be delivering. */
  readonly hasLease: () => boolean;
  /** Keys whose callback has returned while the store could not record it. Kept between calls. */
  readonly returned: Set<string>;
}

/**
 * Delivers the changes that are due to `onOrderChange`, oldest first, for as long as one delivery may take.
 * Each is delivered at least once, and again after a crash, so the callback must be idempotent: `key` is the same
 * each time.
 * Those that are left wait for the next sync, which they would delay otherwise. A change that fails is
 * postponed and the others go on. Without a callback, changes count as delivered.
 *
 * Each change is delivered at least once: a process may end between a delivery and its acknowledgement. The
 * change has the same key each time, so that the callback can be idempotent.
 */
export async function deliverChanges(delivery: Delivery): Promise<void> {
  const { store, deliver, deliverySeconds, now, signal, hasLease } = delivery;
  const begunAt = now();
  const isOver = () => signal.aborted || !hasLease() || now() - begunAt > deliverySeconds;
  for (;;) {
    const pending = await store.listPendingChanges(now(), BATCH);
    warnUnknownReference(pending);
    if (!deliver) await store.acknowledgeChanges(pending.map(({ key }) => key));
    else
      for (const change of pending) if (!isOver()) await deliverChange(change, delivery, deliver);
    if (pending.length < BATCH || isOver()) return;
  }
}

async function deliverChange(
  change: PendingChange,
  { store, deliverySeconds, onError, now, returned }: Delivery,
  deliver: (change: PendingChange) => unknown,
): Promise<void> {
  const { key, tries } = change;
  if (!returned.has(key)) {
    try {
      await callWithTimeLimit(deliverySeconds, () => deliver(change));
    } catch (error) {
      onError(error);
      await store.postponeChange(key, now() + getBackoffSeconds(tries));
      return;
    }
    returned.add(key);
  }
  // One by one, so that a crash repeats at most the change that was being delivered.
  await store.acknowledgeChanges([key]);
  returned.delete(key);
}

/** Runs `onOrderChange`. One that never settled would keep every instance from syncing. */
const callWithTimeLimit = (seconds: number, work: () => unknown): Promise<unknown> =>
  withTimeLimit<unknown>(
    {
      limitMs: seconds * 1000,
      onTimeout() {
        const message = `onOrderChange did not come to an end within ${seconds} seconds. It is run again later, with the same key.`;
        throw new RampError('ERR_TIMEOUT', message);
      },
    },
    work,
  );
