// Loaded in development builds only.

import type { RampError } from '../../protocol/errors/RampError.js';
import { getErrorDocsUrl } from '../../protocol/errors/RampError.js';
import type { BackendSettings } from '../backend/fetchBackend.js';

/** What a developer should check next, by error message. Only the console shows it; shoppers see a short text. */
const advice: readonly (readonly [RegExp, string])[] = [
  [
    /returned 40[13]\b/,
    'Something before the ramp handler refused the request: a session or CSRF check, a firewall or a proxy. Exclude the path of the ramp handler from it, or set the required headers, such as a CSRF token, in the headers of RampProvider.',
  ],
  [
    /returned 429\b/,
    'A rate limit before the ramp handler refused the request. Raise it for the path of the ramp handler.',
  ],
  [
    /returned 200\b/,
    'Something before the ramp handler returned a page, such as a session check that redirects to a login. Exclude the path of the ramp handler from it, or let it respond with 401: your policy decides who may buy.',
  ],
  [
    /not from a ramp handler/,
    'Check that your backend is running, with the handler at that path, and that the development server forwards that path (server.proxy in Vite).',
  ],
  [
    /could not be reached/,
    "Check that your backend is running. If it is on another origin, add the page's origin to its allowedOrigins.",
  ],
  [
    /^fetch is undefined/,
    'Use a runtime or browser that has it. In a unit test, where jsdom hides the fetch of Node from Jest, use @partner-ramp/react/testing: give RampProvider the fetch of createTestBackend(), or pass fakeSigner() as signer and no api.',
  ],
  [
    /checkout is not allowed|backend failed|^Prices (?!need )/,
    "The cause is in your backend: createRamp's onError receives it.",
  ],
];

/**
 * Prints an error with its technical message and advice for the developer. The shopper sees only a general text.
 *
 * @param settings - The failed request's settings, used for advice about missing cookies.
 */
export function warnInDev(
  error: RampError,
  settings: Pick<BackendSettings, 'api' | 'credentials'> = {},
): void {
  const { code, message, cause } = error;
  const next = advice.find(([pattern]) => pattern.test(message))?.[1] ?? '';
  const hints = [next, getCookieHint(error, settings), getErrorDocsUrl(code)].filter(Boolean);
  const text = [`[partner-ramp] ${code}: ${message}`, ...hints].join(' ');
  console.warn(...(cause === undefined ? [text] : [text, cause]));
}

/**
 * Returns a hint if the backend refused a request that carried no cookies, or else `''`. Without cookies, the backend
 * may have taken a signed-in shopper for a guest.
 */
function getCookieHint(
  { code, message }: RampError,
  { api, credentials }: Pick<BackendSettings, 'api' | 'credentials'>,
): string {
  if (!api || (credentials && credentials !== 'same-origin') || /origin/i.test(message)) return '';
  if (!/REFUSED|REQUEST|SIGNED_OUT/.test(code) && !/returned 40[13]\b/.test(message)) return '';
  if (new URL(api, location.href).origin === location.origin) return '';
  return 'The api is on another origin, so the request carried no cookies. If your backend identifies users by a cookie, set credentials="include" on RampProvider.';
}

export function warnMissingContainer(): void {
  console.warn(
    '[partner-ramp] The inline checkout has no container, so it is shown in a dialog: pass the inlineRef of useCheckout to an element of the page.',
  );
}

export function warnMissingApi(): void {
  console.warn(
    '[partner-ramp] CheckoutStatus without a reference shows the checkouts that this page opens, but api is missing: pass the path of your ramp handler to RampProvider or CheckoutStatus.',
  );
}

export function warnRemovedButton(): void {
  warnOnce(
    'A button was removed from the page before its checkout had opened, as a menu does at the click of an item. Call useCheckout in a component that stays, and its open at the click.',
  );
}

export function warnInMenu(): void {
  warnOnce(
    'A menu closed, and the checkout of a button in it closed with it. Call useCheckout in the component around the menu, and its open in the menu item.',
  );
}

const warned = new Set<string>();

/** Warns once per page about a mistake in the page's code. */
export function warnOnce(text: string): void {
  if (warned.has(text)) return;
  warned.add(text);
  console.warn(`[partner-ramp] ${text}`);
}
