import type { Checkout } from './Checkout.js';
import type { CheckoutOptions } from './CheckoutSettings.js';
import { createProposal } from './createProposal.js';
import type { Opening } from './Opening.js';

/**
 * Returns the key of what a click buys. Two clicks are for the same purchase if they send the same proposal to the same
 * backend: the same widget, signed parameters, and selection of amount and coins. So two NFT prints are two purchases,
 * and so are two amounts. Their `extraParams` must match too, because a service may use them to choose what is sold.
 *
 * The display, the language, an e-mail address and `headers` do not count, because they do not change what is bought.
 */
export function toPurchaseKey(options: CheckoutOptions): string {
  const { widgetUrl, api, extraParams } = options;
  const { widget, params, selection } = createProposal(options);
  const bought = [toList(params), toList(selection), toList(extraParams)];
  return JSON.stringify([widgetUrl, api, widget, ...bought]);
}

/** Returns the defined values, sorted by name, because pages pass them in any order. */
const toList = (values: object | undefined) =>
  Object.entries(values ?? {})
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** A purchase whose checkout is open, may be open in a window that the page cannot see, or may be paid. */
export interface PendingPurchase {
  /**
   * Shows the widget if it is open. Otherwise, the notice beside the button of `checkout` asks the shopper before a
   * second checkout opens.
   */
  show(checkout: Checkout, clicked: Opening): void;
}

/**
 * The pending purchases of this page, by key. They belong to the page, not to a button: a route, a `key` or `Activity`
 * may unmount the button while the shopper pays in a window. A purchase leaves the map once it is known to be paid or
 * to have ended, or once the shopper starts another checkout for it.
 */
const pendingPurchases = new Map<string, PendingPurchase>();

export const getPendingPurchase = (key: string | undefined): PendingPurchase | undefined =>
  key === undefined ? undefined : pendingPurchases.get(key);

export const isPurchasePending = (options: CheckoutOptions): boolean =>
  pendingPurchases.has(toPurchaseKey(options));

/** Adds a pending purchase, in place of an earlier one. Returns a function that removes it. */
export function addPendingPurchase(key: string | undefined, purchase: PendingPurchase): () => void {
  if (key === undefined) return () => {};
  pendingPurchases.set(key, purchase);
  return () => {
    if (pendingPurchases.get(key) === purchase) pendingPurchases.delete(key);
  };
}

/** Removes a purchase that is known to be paid or to have ended, or that the shopper has chosen to repeat. */
export function removePendingPurchase(key: string | undefined): void {
  if (key !== undefined) pendingPurchases.delete(key);
}

/** Forgets all purchases. Only for tests, because their pages share this module. */
export const forgetPurchases = (): void => pendingPurchases.clear();

/** The purchase key of each checkout that this page's buttons have opened, by reference. */
const keys = new Map<string, string>();

/**
 * Remembers what a checkout buys. A card that continues the checkout later knows only its reference, not what the
 * button proposed.
 */
export function setPurchaseKey(reference: string | undefined, key: string | undefined): void {
  if (reference !== undefined && key !== undefined) keys.set(reference, key);
}

export const getPurchaseKey = (reference: string): string | undefined => keys.get(reference);
