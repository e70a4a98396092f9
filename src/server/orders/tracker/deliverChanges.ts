import { RampError } from '../../../protocol/errors/RampError.js';
import { getSeconds, type Runtime } from '../../internal/runtime.js';
import { withTimeLimit } from '../../internal/withTimeLimit.js';
import {
  type DeliveryStore,
  MAX_BACKOFF_SECONDS,
  type PendingChange,
} from '../store/OrderStore.js';
import { warnUnknownReference } from './warnUnknownReference.js';

const BATCH = 50;
const FIRST_RETRY_SECONDS = 5;

/** Returns the exponential backoff after a failed delivery, in seconds. */
const getBackoffSeconds = (tries: number): number =>
  Math.min(FIRST_RETRY_SECONDS * 2 ** tries, MAX_BACKOFF_SECONDS);

interface Delivery {
  readonly store: DeliveryStore;
  /** `onOrderChange`: null acknowledges all changes, undefined leaves them to another tracker. */
  readonly deliver: ((change: PendingChange) => unknown) | null | undefined;
  readonly deliverySeconds: number;
  readonly onError: (error: unknown) => void;
  readonly runtime: Runtime;
  readonly signal: AbortSignal;
  /** Returns whether this instance still has the lease, so that no other instance delivers. */
  readonly hasLease: () => boolean;
  /** The keys of changes that were delivered but could not be acknowledged. Kept between calls. */
  readonly returned: Set<string>;
}

/**
 * Delivers the due changes to `onOrderChange`, oldest first, for at most `deliverySeconds`; the rest waits for
 * the next sync, which it would otherwise delay. A failed change is postponed, and the others are delivered.
 * Without a callback the changes stay, because another process on the store may have one; with `null` they
 * all count as delivered.
 *
 * Each change is delivered at least once: a process may end between a delivery and its acknowledgement. Its
 * key is the same each time, so that the callback can be idempotent.
 */
export async function deliverChanges(delivery: Delivery): Promise<void> {
  const { store, deliver, deliverySeconds, runtime, signal, hasLease } = delivery;
  const begunAt = getSeconds(runtime);
  const isOver = () =>
    signal.aborted || !hasLease() || getSeconds(runtime) - begunAt > deliverySeconds;
  for (;;) {
    const pending = await store.listPendingChanges(getSeconds(runtime), BATCH);
    warnUnknownReference(runtime, pending);
    if (deliver === undefined) return;
    if (deliver === null) await store.acknowledgeChanges(pending.map(({ key }) => key));
    else
      for (const change of pending) if (!isOver()) await deliverChange(change, delivery, deliver);
    if (pending.length < BATCH || isOver()) return;
  }
}

async function deliverChange(
  change: PendingChange,
  { store, deliverySeconds, onError, runtime, returned }: Delivery,
  deliver: (change: PendingChange) => unknown,
): Promise<void> {
  const { key, tries } = change;
  if (!returned.has(key)) {
    try {
      await callWithTimeLimit(runtime, deliverySeconds, () => deliver(change));
    } catch (error) {
      onError(error);
      await store.postponeChange(key, getSeconds(runtime) + getBackoffSeconds(tries));
      return;
    }
    returned.add(key);
  }
  // Acknowledged one by one, so that a crash repeats only the last delivery.
  await store.acknowledgeChanges([key]);
  returned.delete(key);
}

/** Runs `onOrderChange` with a time limit: a callback that never settles would keep every instance from syncing. */
const callWithTimeLimit = (
  runtime: Runtime,
  seconds: number,
  work: () => unknown,
): Promise<unknown> =>
  withTimeLimit<unknown>(
    {
      runtime,
      limitMs: seconds * 1000,
      onTimeout() {
        const message = `onOrderChange did not finish within ${seconds} seconds. It is called again later with the same key. Make it faster, or raise deliverySeconds.`;
        throw new RampError('ERR_TIMEOUT', message);
      },
    },
    work,
  );
