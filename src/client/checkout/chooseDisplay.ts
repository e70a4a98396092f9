import type { CheckoutDisplay } from './events.js';

/** What `display="auto"` chooses, by the kind of browser. */
export interface AutoDisplays {
  /** In the web view of an app, such as the browsers of social networks. @default 'redirect' */
  readonly webView?: CheckoutDisplay | undefined;
  /** In any other browser. @default 'modal' */
  readonly browser?: CheckoutDisplay | undefined;
}

/** The names of apps whose links open in a web view of theirs. */
const APPS =
  /\b(?:FBAN|FBAV|FB_IAB|Instagram|Threads|Barcelona|Line|MicroMessenger|WhatsApp|Twitter|TikTok|musical_ly|BytedanceWebview|Snapchat|Pinterest|LinkedInApp|GSA|KAKAOTALK|NAVER)\b/;

/**
 * Returns whether a browser is the web view of an app. Many of them open no windows, or open them in place of the page:
 * Android marks its web view with `wv`, that of iOS lacks the name of Safari, and apps add their own names.
 */
function isWebView(userAgent: string): boolean {
  const isIos = /\b(?:iPhone|iPad|iPod)\b/.test(userAgent);
  return APPS.test(userAgent) || /; wv\)/.test(userAgent) || (isIos && !/Safari\//.test(userAgent));
}

/** Returns the display of a click. */
export function chooseDisplay(
  wanted: CheckoutDisplay | 'auto' | undefined,
  { webView = 'redirect', browser = 'modal' }: AutoDisplays = {},
): CheckoutDisplay {
  if (wanted !== 'auto') return wanted || 'modal';
  return isWebView(navigator.userAgent) ? webView : browser;
}
