import type { CheckoutDisplay } from './events.js';
import { isWebView } from './views/isWebView.js';

/** What `display="auto"` chooses, by the kind of browser. */
export interface AutoDisplays {
  /** In the web view of an app, such as the browsers of social networks. @default 'redirect' */
  readonly webView?: CheckoutDisplay | undefined;
  /** In any other browser. @default 'modal' */
  readonly browser?: CheckoutDisplay | undefined;
}

/** Returns where a click shows the widget. */
export function chooseDisplay(
  wanted: CheckoutDisplay | 'auto' | undefined,
  { webView = 'redirect', browser = 'modal' }: AutoDisplays = {},
): CheckoutDisplay {
  if (wanted !== 'auto') return wanted || 'modal';
  return isWebView() ? webView : browser;
}
