// Loaded in development builds alone.
import { getErrorDocsUrl } from '../../protocol/errors/getErrorDocsUrl.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { BackendSettings } from '../backend/BackendSettings.js';

/** By what an error says, what to look at next: more than a page has room for. */
const advice: readonly (readonly [RegExp, string])[] = [
  [
    /answered 40[13]\b/,
    'Something before the ramp handler refused the request: a session or CSRF check, a firewall or a proxy. Exclude the path of the ramp handler from it, or send what it requires with the headers of RampProvider, such as a CSRF token.',
  ],
  [
    /answered 429\b/,
    'A rate limit before the ramp handler refused the request. Raise it for the path of the ramp handler.',
  ],
  [
    /not as a ramp handler does/,
    'Is your backend running, with the handler at that path, and does the development server pass it on (server.proxy in Vite)?',
  ],
  [
    /could not be reached/,
    'Is your backend running? If it is on another origin, is the page in its allowedOrigins?',
  ],
  [
    /checkout is not allowed|backend failed|cannot be had/,
    'Your backend knows why: the onError that you give to createRampHandler hears it.',
  ],
];

/**
 * Warns about an error that a shopper reads in softer words.
 *
 * @param settings - Of the request that failed.
 */
export function warnInDev(
  error: RampError,
  settings: Pick<BackendSettings, 'api' | 'credentials'> = {},
): void {
  const { code, message, cause } = error;
  const next = advice.find(([said]) => said.test(message))?.[1] ?? '';
  const hints = [next, getCookieHint(error, settings), getErrorDocsUrl(code)].filter(Boolean);
  const text = [`[partner-ramp] ${code}: ${message}`, ...hints].join(' ');
  console.warn(...(cause === undefined ? [text] : [text, cause]));
}

/** A backend on another origin gets no cookie unless the page says so, and takes the shopper for a guest. */
function getCookieHint(
  { code, message }: RampError,
  { api, credentials }: Pick<BackendSettings, 'api' | 'credentials'>,
): string {
  if (!api || (credentials && credentials !== 'same-origin') || /origin/i.test(message)) return '';
  if (!/REFUSED|REQUEST/.test(code) && !/answered 40[13]\b/.test(message)) return '';
  if (new URL(api, location.href).origin === location.origin) return '';
  return 'The api is on another origin, so the request carried no cookies. If your backend knows users by a cookie, set credentials="include" on RampProvider.';
}

/** Says why an inline checkout is shown in a dialog. */
export function warnMissingContainer(): void {
  console.warn(
    '[partner-ramp] An inline checkout has no place and is shown in a dialog: give the inlineRef of useCheckout to an element of the page.',
  );
}

/** Warns that a card without a reference has no backend whose checkouts it could show. */
export function warnMissingApi(): void {
  console.warn(
    '[partner-ramp] CheckoutStatus without a reference shows the checkouts that this page opens, and has no api: give RampProvider or CheckoutStatus the path of your ramp handler.',
  );
}

const warned = new Set<string>();

/** Warns once per page about a mistake in the code of the page. */
export function warnOnce(text: string): void {
  if (warned.has(text)) return;
  warned.add(text);
  console.warn(`[partner-ramp] ${text}`);
}
