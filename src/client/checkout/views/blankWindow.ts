import { isWebView } from './isWebView.js';

/**
 * Opens a blank window. Call it inside a click. Returns null if the browser blocks windows or cannot open any.
 *
 * In the web view of an app, it opens none: `window.open` may be missing, throw, do nothing, return the page itself, or
 * load the blank window in place of the page. A link to the widget works in more of them.
 */
export function openBlankWindow(): Window | null {
  if (isWebView()) return null;
  try {
    const blank = window.open('', '_blank', 'popup,width=480,height=760');
    const isPage = blank === window || blank === window.top;
    return blank && !isPage && !blank.closed ? blank : null;
  } catch {
    return null;
  }
}
