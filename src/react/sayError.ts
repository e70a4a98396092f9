// Loaded in development builds alone.
import type { RampError } from '../protocol/ramp-error.js';

/** By what an error says, what to look at next: more than a page has room for. */
const advice: readonly (readonly [RegExp, string])[] = [
  [
    /not as a ramp handler does/,
    'Is your backend running, with the handler at that path, and does the development server pass it on (server.proxy in Vite)?',
  ],
  [
    /could not be reached/,
    'Is your backend running? If it is on another origin, is the page in its allowedOrigins?',
  ],
  [
    /checkout is not allowed|could not be prepared|cannot be had/,
    'Your backend knows why: the onError that you give to createRampHandler hears it.',
  ],
];

/** Says what a shopper is told in softer words, so that a developer need not ask for it. */
export function sayError({ code, message, cause }: RampError): void {
  const next = advice.find(([said]) => said.test(message));
  const text = `[partner-ramp] ${code}: ${message}${next ? ` ${next[1]}` : ''}`;
  console.warn(...(cause === undefined ? [text] : [text, cause]));
}

/** Says why an inline checkout is shown in a dialog. */
export function sayNoPlace(): void {
  console.warn(
    '[partner-ramp] An inline checkout has no place and is shown in a dialog: give the inlineRef of useCheckout to an element of the page.',
  );
}

/** Warns that a card without a reference has no backend whose checkouts it could show. */
export function sayNoApi(): void {
  console.warn(
    '[partner-ramp] CheckoutStatus without a reference shows the checkouts that this page opens, and has no api: give RampProvider or CheckoutStatus the path of your ramp handler.',
  );
}
