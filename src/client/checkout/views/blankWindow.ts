import { isWebView } from './isWebView.js';

/**
 * True once the page was left after it could not open a window: a web view that looks like a browser may have loaded
 * the window in place of the page. If the shopper goes back, the browser restores the page with this variable.
 */
let isReplaced = false;
const onLeave = () => {
  isReplaced = true;
};

/**
 * Opens a blank window. Call it inside a click. Returns null if the browser blocks windows or cannot open any.
 *
 * In the web view of an app, it opens none: `window.open` may be missing, throw, do nothing, return the page itself, or
 * load the blank window in place of the page. A link to the widget works in more of them.
 */
export function openBlankWindow(): Window | null {
  if (isReplaced || isWebView()) return null;
  try {
    // WebKit needs an address to keep the page in its history when it loads the window in place of the page. Firefox
    // gets none, because Firefox 140 loads the address late, over the text that the page has written.
    const address = /^Apple/.test(navigator.vendor) ? 'about:blank' : '';
    const blank = window.open(address, '_blank', 'popup,width=480,height=760');
    const isPage = blank === window || blank === window.top;
    if (blank && !isPage && !blank.closed) return blank;
  } catch {
    // Some web views throw.
  }
  addEventListener('pagehide', onLeave);
  return null;
}
