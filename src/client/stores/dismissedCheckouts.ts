import { createTabList } from './createTabList.js';

/** At most 50 references are kept for each backend. */
const dismissed = createTabList(
  'dismissed',
  50,
  (item): item is string => typeof item === 'string',
);

/**
 * Returns the references of the checkouts whose note the shopper dismissed in this tab. They are kept across pages,
 * until the tab is closed.
 */
export const getDismissedCheckouts = (api: string): readonly string[] => dismissed.read(api);

export function addDismissedCheckout(api: string, reference: string): void {
  dismissed.write(api, [reference, ...dismissed.read(api)]);
}
