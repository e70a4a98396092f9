import type { ViewHandle } from './ViewHandle.js';
import type { ViewRequest } from './ViewRequest.js';

/** Navigates the page to the widget. */
export function redirect({ url, onEnd }: ViewRequest): ViewHandle {
  // The browser may restore the page from its back/forward cache.
  const onReturn = ({ persisted }: PageTransitionEvent) => persisted && onEnd();
  addEventListener('pageshow', onReturn);
  location.assign(url);
  const remove = () => removeEventListener('pageshow', onReturn);
  return { isOpen: () => false, focus() {}, remove, detach: remove };
}
