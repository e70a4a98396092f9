import type { Shown, ViewRequest } from './checkout-view.js';

/** A blocked window leaves a link. It carries a signature, so it goes away when that has aged. */
export function linkInstead({ freshMs, onEnd }: ViewRequest): Shown {
  const expiry = freshMs < Number.POSITIVE_INFINITY ? setTimeout(onEnd, freshMs) : undefined;
  const remove = () => clearTimeout(expiry);
  return { isOpen: () => false, focus() {}, remove, letGo: remove };
}
