import type { CheckoutMessages } from '../../../messages/CheckoutMessages.js';
import type { ViewHandle, ViewRequest } from '../view.js';

/**
 * Shows a text in a blank window, which the page controls until it is navigated, and centres it over the
 * page's window, on any screen. A tab is not moved.
 */
export function prepareWindow(blank: Window | null | undefined, messages: CheckoutMessages): void {
  changeBlank(blank, ({ document: { body, documentElement } }) => {
    // Not as an attribute, which the page's Content-Security-Policy may refuse.
    documentElement.style.colorScheme = 'light dark';
    documentElement.style.font = '1rem system-ui, sans-serif';
    // From the text: a window does not inherit the direction of the page.
    body.dir = 'auto';
    body.setAttribute('aria-live', 'polite');
  });
  showText(blank, messages.opening);
  changeBlank(blank, (target) =>
    target.moveTo(
      screenX + (outerWidth - target.outerWidth) / 2,
      screenY + (outerHeight - target.outerHeight) / 2,
    ),
  );
}

/** Opens a blank window and prepares it. Returns null if the browser blocks it, or an in-app browser cannot open it. */
export function openBlank(messages: CheckoutMessages): Window | null {
  try {
    const blank = window.open('', '_blank', 'popup,width=480,height=760');
    prepareWindow(blank, messages);
    if (!blank?.closed) return blank;
  } catch {
    // Without window.open, or where it throws.
  }
  return null;
}

/** Replaces the text of a blank window. */
export function showText(blank: Window | null | undefined, text: string): void {
  changeBlank(blank, ({ document }) => {
    document.title = document.body.textContent = text;
  });
}

function changeBlank(blank: Window | null | undefined, change: (target: Window) => void): void {
  try {
    if (blank && !blank.closed) change(blank);
  } catch {
    // The window of an in-app browser may lack its document: it opens the widget without a text.
  }
}

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

/** Replaces a blocked window with a link. The link contains a signature, so it is removed when that expires. */
export function showBlockedLink({ signatureTtlMs, onEnd }: ViewRequest): ViewHandle {
  const expiry =
    signatureTtlMs < Number.POSITIVE_INFINITY ? setTimeout(onEnd, signatureTtlMs) : undefined;
  const remove = () => clearTimeout(expiry);
  return { isOpen: () => false, focus() {}, remove, detach: remove };
}

/** Navigates the page to the widget. */
export function redirect({ url, onEnd }: ViewRequest): ViewHandle {
  // The browser may restore the page from its back/forward cache.
  const onReturn = ({ persisted }: PageTransitionEvent) => persisted && onEnd();
  addEventListener('pageshow', onReturn);
  location.assign(url);
  const remove = () => removeEventListener('pageshow', onReturn);
  return { isOpen: () => false, focus() {}, remove, detach: remove };
}
