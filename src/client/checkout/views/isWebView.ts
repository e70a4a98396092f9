/** The names of apps that open links in their own web view. */
const APPS =
  /\b(?:FBAN|FBAV|FB_IAB|Instagram|Threads|Barcelona|Line|MicroMessenger|WhatsApp|Twitter|TikTok|musical_ly|BytedanceWebview|Snapchat|Pinterest|LinkedInApp|GSA|KAKAOTALK|NAVER)\b/;

/**
 * Returns whether this browser is the web view of an app. Many of them open no windows, or open them in place of the
 * page. Android marks a web view with `wv`, iOS leaves out `Safari`, and apps add their own names.
 */
export function isWebView(): boolean {
  const { userAgent } = navigator;
  const isIos = /\b(?:iPhone|iPad|iPod)\b/.test(userAgent);
  return APPS.test(userAgent) || /; wv\)/.test(userAgent) || (isIos && !/Safari\//.test(userAgent));
}
