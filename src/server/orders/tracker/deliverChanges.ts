import { RampError } from '../../../protocol/errors/RampError.js';
import { isCreatedReference } from '../../internal/createReference.js';
import { describeOrder, trace } from '../../internal/diagnostics.js';
import { getSeconds, type Runtime } from '../../internal/runtime.js';
import { withTimeLimit } from '../../internal/withTimeLimit.js';
import { MAX_BACKOFF_SECONDS, type PendingChange } from '../store/OrderStore.js';
import type { TrackerSettings } from './trackerOptions.js';

/** How many changes are acknowledged at once if the shop delivers none. */
const BATCH = 50;
const FIRST_RETRY_SECONDS = 5;

/** Returns the exponential backoff after a failed delivery, in seconds. */
const getBackoffSeconds = (tries: number): number =>
  Math.min(FIRST_RETRY_SECONDS * 2 ** tries, MAX_BACKOFF_SECONDS);

/** Delivers recorded changes to `onOrderChange`. */
export interface Deliverer {
  /**
   * Delivers the due changes, untried ones first. After `deliverySeconds` it begins no further delivery, so that the
   * next sync is not delayed; that sync delivers the rest. If a delivery fails, the change is postponed, and the other
   * changes are still delivered.
   *
   * Without `onOrderChange` the changes stay in the store, because another process on the same store may deliver them.
   * If it is `null`, all changes count as delivered.
   *
   * A change is delivered at least once. It is delivered again if the process ends after the delivery and before its
   * acknowledgement. The key of the change stays the same, so that the callback can be idempotent.
   *
   * @param hasLease - Returns whether this instance still has the lease. Without the lease, delivery stops, because
   * another instance may deliver.
   * @param isOver - Returns whether the time of the sync is over. Then no further delivery begins.
   * @throws the errors of the store.
   */
  deliver(signal: AbortSignal, hasLease: () => boolean, isOver?: () => boolean): Promise<void>;
  /** The number of changes that were delivered since the last call of `deliver` began. */
  readonly delivered: number;
  readonly isDelivering: boolean;
}

export function createDeliverer(settings: TrackerSettings): Deliverer {
  const { store, onOrderChange, deliverySeconds, onError, runtime } = settings;
  let isDelivering = false;
  let delivered = 0;
  /**
   * The keys of changes that the callback has handled but the store has not acknowledged. They are not delivered again.
   */
  const handled = new Set<string>();

  async function deliverChange(
    change: PendingChange,
    callback: (change: PendingChange) => unknown,
  ): Promise<void> {
    const { key, tries } = change;
    if (!handled.has(key)) {
      try {
        const fields = { ...describeOrder(change.record), attempt: tries + 1 };
        await trace('partner-ramp:delivery', runtime, fields, async (update) => {
          await callInTime(() => callback(change));
          update({ outcome: 'delivered' });
        });
      } catch (error) {
        onError(error);
        await store.postponeChange(key, getSeconds(runtime) + getBackoffSeconds(tries));
        return;
      }
      handled.add(key);
    }
    // Acknowledge each change separately, so that a crash repeats only the last delivery.
    await store.acknowledgeChanges([key]);
    handled.delete(key);
    delivered++;
  }

  /**
   * Calls the callback with a time limit. A callback that never settles would keep the lease, and so keep every
   * instance from syncing.
   */
  const callInTime = (callback: () => unknown): Promise<unknown> =>
    withTimeLimit<unknown>(
      {
        runtime,
        limitMs: deliverySeconds * 1000,
        onTimeout() {
          const message = `onOrderChange did not finish within ${deliverySeconds} seconds. It is called again later with the same key. Make it faster, or raise deliverySeconds.`;
          throw new RampError('ERR_TIMEOUT', message);
        },
      },
      callback,
    );

  async function deliverDue(
    signal: AbortSignal,
    hasLease: () => boolean,
    isOver: () => boolean,
  ): Promise<void> {
    const begunAt = getSeconds(runtime);
    const mustStop = () =>
      signal.aborted || !hasLease() || isOver() || getSeconds(runtime) - begunAt > deliverySeconds;
    for (;;) {
      // Read each change right before its delivery, because an operator may have resolved its order meanwhile.
      const limit = onOrderChange ? 1 : BATCH;
      const pending = await store.listPendingChanges(getSeconds(runtime), limit);
      warnUnknownReference(runtime, pending);
      // Check after the read, during which the process may have been frozen for longer than the lease.
      if (onOrderChange === undefined || pending.length === 0 || mustStop()) return;
      if (onOrderChange === null) await store.acknowledgeChanges(pending.map(({ key }) => key));
      else for (const change of pending) await deliverChange(change, onOrderChange);
    }
  }

  return {
    get isDelivering() {
      return isDelivering;
    },
    get delivered() {
      return delivered;
    },
    async deliver(signal, hasLease, isOver = () => false) {
      isDelivering = true;
      delivered = 0;
      try {
        await deliverDue(signal, hasLease, isOver);
      } finally {
        isDelivering = false;
      }
    },
  };
}

/**
 * Warns once in development when an order has a reference that this package created, but that the store does not have.
 * Orders of other systems cause no warning, because they have no `ext`, or an `ext` in another format.
 */
function warnUnknownReference(runtime: Runtime, changes: readonly PendingChange[]): void {
  const isUnknown = ({ record: { matchStatus, order } }: PendingChange) =>
    matchStatus === 'unmatched' && isCreatedReference(order.ext ?? '');
  if (!changes.some(isUnknown)) return;
  runtime.warnOnce(
    "An order has the reference of a checkout that is not in the tracker's store, so it is recorded as unmatched and must not be delivered. Pass the same store to createRampHandler and createOrderTracker. A memoryOrderStore() also loses its checkouts when the process restarts.",
  );
}
