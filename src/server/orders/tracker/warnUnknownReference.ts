import { isCreatedReference } from '../../internal/createReference.js';
import type { Runtime } from '../../internal/runtime.js';
import type { PendingChange } from '../store/OrderStore.js';

/**
 * Warns once in development when an order has a reference of this package that the store does not have. Orders
 * of other systems have no `ext`, or an `ext` in another format.
 */
export function warnUnknownReference(runtime: Runtime, changes: readonly PendingChange[]): void {
  const isUnknown = ({ record: { matchStatus, order } }: PendingChange) =>
    matchStatus === 'unmatched' && isCreatedReference(order.ext ?? '');
  if (!changes.some(isUnknown)) return;
  runtime.warnOnce(
    "An order has the reference of a checkout that is not in the tracker's store, so it is recorded as unmatched and must not be delivered. Pass the same store to createRampHandler and createOrderTracker. A memoryOrderStore() also loses its checkouts when the process restarts.",
  );
}
