import { isCreatedReference } from '../../internal/createReference.js';
import { warnDeveloper } from '../../internal/warnDeveloper.js';
import type { PendingChange } from '../store/DeliveryStore.js';

let hasWarned = false;

/**
 * Warns once in development when an order carries a reference of the form of ours that the store does not
 * know. Orders of another system have no `ext`, or one of another form.
 */
export function warnUnknownReference(changes: readonly PendingChange[]): void {
  const isUnknown = ({ record: { matchStatus, order } }: PendingChange) =>
    matchStatus === 'unmatched' && isCreatedReference(order.ext ?? '');
  if (hasWarned || !changes.some(isUnknown)) return;
  hasWarned = true;
  warnDeveloper(
    "An order carries the reference of a checkout that the tracker's store does not know, so it is recorded as unmatched and nothing is delivered. Pass the same store to createRampHandler and createOrderTracker. A memoryOrderStore() also loses its checkouts when the process restarts.",
  );
}
