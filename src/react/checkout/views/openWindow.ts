import type { ViewHandle } from './ViewHandle.js';
import type { ViewRequest } from './ViewRequest.js';

const WATCH_MS = 500;

/** Sends the blank window on to the widget, and watches for it to be closed. */
export function openWindow({ blank, url, onEnd }: ViewRequest): ViewHandle {
  const target = blank as Window;
  // The widget must not reach back into the page; `noopener` would have hidden the window from us.
  target.opener = null;
  target.location.replace(url);
  let ticks = 0;
  const watch = setInterval(() => {
    ticks++;
    // Closed at once means out of sight: a page with an opener policy of its own cannot watch it.
    if (target.closed) onEnd(ticks > 1);
  }, WATCH_MS);
  const detach = () => clearInterval(watch);
  return {
    isOpen: () => !target.closed,
    focus: () => target.focus(),
    remove() {
      detach();
      target.close();
    },
    detach,
  };
}
