import type { CheckoutMessages } from '../../../messages/CheckoutMessages.js';
import type { ViewHandle, ViewRequest } from '../view.js';
import { openBlankWindow } from './blankWindow.js';

/**
 * Shows text in the blank window, and centres the window over the page's window, on whichever screen that is. Both are
 * possible only until the window is navigated to the widget. If the browser opened a tab, the tab stays where it is.
 */
export function prepareWindow(
  blank: Window | null | undefined,
  messages: CheckoutMessages,
  trigger?: HTMLElement,
): void {
  if (!blank) return;
  // Read the scheme from the button: if a class makes the page dark, the stylesheet sets `color-scheme` there.
  const scheme = trigger && getComputedStyle(trigger).colorScheme;
  changeBlank(blank, ({ document: { body, documentElement } }) => {
    // Set properties, not a `style` attribute, which the page's Content-Security-Policy may refuse.
    const { style } = documentElement;
    style.colorScheme = scheme && scheme !== 'normal' ? scheme : 'light dark';
    style.font = '1rem/1.5 system-ui, sans-serif';
    Object.assign(body.style, {
      display: 'grid',
      placeContent: 'center',
      boxSizing: 'border-box',
      minHeight: '100vh',
      margin: '0',
      padding: '1.5rem',
      textAlign: 'center',
    });
    // Derive the direction from the text, because a new window does not inherit the direction of the page.
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

/** Opens a blank window and prepares it. Returns null if the browser blocks windows, or cannot open any. */
export function openBlank(
  messages: CheckoutMessages,
  trigger: HTMLElement | undefined,
): Window | null {
  const blank = openBlankWindow();
  prepareWindow(blank, messages, trigger);
  return blank;
}

/** Shows text in the blank window, and sets it as the title. */
export function showText(blank: Window | null | undefined, text: string): void {
  changeBlank(blank, ({ document }) => {
    document.title = document.body.textContent = text;
  });
}

function changeBlank(blank: Window | null | undefined, change: (target: Window) => void): void {
  try {
    if (blank && !blank.closed) change(blank);
  } catch {
    // In some in-app browsers, the new window has no document. It then stays empty until it opens the widget.
  }
}

const WATCH_MS = 250;
/**
 * How many checks in a row must find a document other than the blank one. On a busy device, a window that is about to
 * be hidden by an opener policy can look like one for a moment.
 */
const LOOKS = 3;

/** Navigates the blank window to the widget, and watches for the window to close. */
export function openWindow({ blank, url, onEnd }: ViewRequest): ViewHandle {
  const target = blank as Window;
  // Remove the opener, so that the widget cannot access the page. The window was not opened with `noopener`, because
  // window.open() would then have returned null, and this page could not watch the window.
  target.opener = null;
  target.location.replace(url);
  let looks = 0;
  const watch = setInterval(() => {
    if (target.closed) onEnd();
    else looks = isBlank(target) ? 0 : looks + 1;
  }, WATCH_MS);
  return {
    isOpen: () => !target.closed,
    // If the service sends an opener policy (COOP), `closed` becomes true as soon as the widget's response arrives,
    // even though the window stays open. Without such a policy, this page sees the window change from the blank
    // document to another one. If it never saw that change, it cannot tell whether the shopper has closed the window.
    isHidden: () => target.closed && looks < LOOKS,
    focus: () => target.focus(),
    remove() {
      clearInterval(watch);
      target.close();
    },
  };
}

/**
 * Returns whether a window still shows its first, blank document. The page cannot read the address of any other
 * document.
 */
function isBlank(target: Window): boolean {
  try {
    return target.location.href === 'about:blank';
  } catch {
    return false;
  }
}

/**
 * Creates the view of the link that replaces a blocked window. The note beside the button renders the link. The link
 * contains a signature, so the view ends when the signature expires.
 */
export function showBlockedLink({ signatureTtlMs, onEnd }: ViewRequest): ViewHandle {
  const expiry =
    signatureTtlMs < Number.POSITIVE_INFINITY ? setTimeout(onEnd, signatureTtlMs) : undefined;
  const remove = () => clearTimeout(expiry);
  return { isOpen: () => false, focus() {}, remove };
}

export function redirect({ url, onEnd }: ViewRequest): ViewHandle {
  // If the shopper goes back, the browser may restore this page from its back/forward cache. Then end the view.
  const onReturn = ({ persisted }: PageTransitionEvent) => persisted && onEnd();
  addEventListener('pageshow', onReturn);
  location.assign(url);
  const remove = () => removeEventListener('pageshow', onReturn);
  return { isOpen: () => false, focus() {}, remove };
}
