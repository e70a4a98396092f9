import type { ViewHandle } from './ViewHandle.js';
import type { ViewRequest } from './ViewRequest.js';

/** Leaves the page for the widget. */
export function redirect({ url, onEnd }: ViewRequest): ViewHandle {
  // The browser may keep the page and bring it back as it was left.
  const onReturn = ({ persisted }: PageTransitionEvent) => persisted && onEnd();
  addEventListener('pageshow', onReturn);
  location.assign(url);
  const remove = () => removeEventListener('pageshow', onReturn);
  return { isOpen: () => false, focus() {}, remove, detach: remove };
}
