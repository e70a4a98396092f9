import type { ViewHandle } from './ViewHandle.js';
import type { ViewRequest } from './ViewRequest.js';

const WATCH_MS = 500;

/** Navigates the blank window to the widget, and watches whether it is closed. */
export function openWindow({ blank, url, onEnd }: ViewRequest): ViewHandle {
  const target = blank as Window;
  // The widget must not access the page. `noopener` would have hidden the window from this code.
  target.opener = null;
  target.location.replace(url);
  let ticks = 0;
  const watch = setInterval(() => {
    ticks++;
    // `closed` on the first tick means that an opener policy hides the window, so the page cannot watch it.
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
