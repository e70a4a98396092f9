import { RampError } from '../../protocol/errors/RampError.js';
import type { SignedCheckout } from '../backend/createHttpSigner.js';
import { toRampError, withTimeout } from '../backend/responses.js';
import { premiumOnly } from '../params/parameterRules.js';
import type { CheckoutSettings, SessionOptions } from './CheckoutSettings.js';
import { pendingPurchases, toPurchaseKey } from './purchases.js';
import type { CheckoutSession, Opening } from './session.js';

/** How long the pointer must rest on a button. A pointer that only crosses a catalogue leaves each button sooner. */
const DWELL_MS = 100;

/**
 * The session that waits for the pointer to rest. A page has only one pointer, so the latest call of
 * `prefetchSignature` cancels the others.
 */
let waiting: CheckoutSession | undefined;

/**
 * Requests the signature of a button once the pointer has rested on the button. Each signature makes the backend store
 * an intent, and counts towards the backend's rate limit. So a button that the pointer only crosses, or that Tab
 * reaches, requests none. Failures are silent, because a click requests the signature again.
 *
 * @param target - The element that the pointer entered. If the pointer leaves it within 100 ms, nothing is requested.
 * @param event - The event that may precede a click. On `focus`, the page only connects to the widget's origin.
 */
export function prefetchSignature(
  session: CheckoutSession,
  target: EventTarget | null | undefined,
  event: Pick<Event, 'type'> | undefined,
): void {
  preconnect(session.options);
  if (event?.type.startsWith('focus')) return;
  if (waiting) waiting.intent = undefined;
  const element = target instanceof Element ? target : undefined;
  // The pointer may have left while this code was loading.
  if (element && !element.matches(':hover')) return;
  waiting = session;
  const intent = {};
  session.intent = intent;
  const leave = () => {
    if (session.intent === intent) session.intent = undefined;
  };
  const once = { once: true };
  element?.addEventListener('pointerleave', leave, once);
  setTimeout(() => {
    element?.removeEventListener('pointerleave', leave);
    // A click shows a pending purchase, so it needs no signature.
    const isPending = pendingPurchases.has(toPurchaseKey(session.options));
    if (session.intent === intent && !session.opening && !isPending)
      requestSignature(session, session.options);
    leave();
  }, DWELL_MS);
}

const done = new Set<string>();

/**
 * Opens a connection to the widget's origin before the click, once per page. Firefox then uses this connection for the
 * widget's frame. Chromium opens another connection, because it partitions the connections of cross-site frames.
 */
function preconnect({ widgetUrl = '' }: CheckoutSettings): void {
  let url: URL;
  try {
    url = new URL(widgetUrl);
  } catch {
    // Ignore an invalid URL here, because opening the checkout reports it.
    return;
  }
  const { origin, protocol } = url;
  if (done.has(origin) || !/^https?:$/.test(protocol)) return;
  done.add(origin);
  const link = document.createElement('link');
  link.rel = 'preconnect';
  link.href = origin;
  document.head.append(link);
}

/** A signature, and when it was received, by two clocks. */
interface ReceivedSignature {
  readonly signed: SignedCheckout;
  readonly date: number;
  readonly time: number;
}

/** What is known about each request for a signature. `received` is missing while the request is pending. */
const requests = new WeakMap<Promise<SignedCheckout>, { received?: ReceivedSignature }>();

/**
 * Returns the cached or pending signature, or requests one. A signature that has expired, or that was requested with
 * other options, is discarded first.
 */
function requestSignature(
  session: CheckoutSession,
  options: SessionOptions,
): Promise<SignedCheckout> | undefined {
  const { signatures } = session;
  const { options: earlier = options } = signatures;
  if (getTtlMs(session, options) <= 0 || toKey(earlier) !== toKey(options)) signatures.discard();
  const pending = signatures.request(options);
  if (!pending || requests.has(pending)) return pending;
  const request: { received?: ReceivedSignature } = {};
  requests.set(pending, request);
  pending.then(
    (signed) => {
      request.received = { signed, date: Date.now(), time: performance.now() };
      // The request has ended, so discard() must no longer abort it.
      if (pending === signatures.pending) signatures.controller = undefined;
    },
    () => {
      if (pending === signatures.pending) signatures.pending = undefined;
    },
  );
  return pending;
}

/** The part of a selection that a policy may rely on. `amount` is missing: the shopper may change it in the widget. */
const binding = [
  ...['cryptoCurrency', 'defaultCurrency', 'cryptoNetwork'],
  ...['fiatCurrency', 'defaultFiatCurrency', 'amountFixed'],
];

/**
 * Returns the options that a signature depends on, as text. It says only whether there is a signer, because pages often
 * pass a new function at each render.
 */
const toKey = ({ widget, signer, signedParams, unsignedParams, api, headers }: SessionOptions) =>
  JSON.stringify([widget, signedParams ?? {}, api, headers, !signer]) +
  JSON.stringify(unsignedParams ?? {}, binding);

/**
 * Returns how long the cached signature may still be used, in milliseconds: `Infinity` until it is received. The age is
 * measured with two clocks, and the larger one counts, because `performance.now()` may stop while the machine sleeps,
 * and `Date.now()` may be set back.
 */
export function getTtlMs(
  { signatures: { pending } }: CheckoutSession,
  { maxAgeSeconds = 60 }: SessionOptions,
): number {
  const received = pending && requests.get(pending)?.received;
  if (!received) return Number.POSITIVE_INFINITY;
  const { signed, date, time } = received;
  const seconds = Math.min(maxAgeSeconds, signed?.expiresInSeconds ?? maxAgeSeconds);
  return seconds * 1000 - Math.max(Date.now() - date, performance.now() - time);
}

const TIMEOUT_MS = 20_000;
/** The longest wait after a rate limit. It is short, because the shopper looks at a busy button during the wait. */
const MAX_WAIT_SECONDS = 10;

/**
 * Waits up to 20 seconds for the signature of one opening. If an error says when to retry, as a rate limit does, the
 * request is repeated once.
 *
 * Without a signer, as for a Basic Partner, it resolves with `undefined`, unless the widget or a parameter requires a
 * signature.
 *
 * @throws RampError `ERR_TIMEOUT`, `ERR_SIGNER`, `ERR_CONFIG_INVALID`, or the error of the signer.
 */
export async function awaitSignature(
  session: CheckoutSession,
  opening: Opening,
): Promise<SignedCheckout | undefined> {
  const { options } = opening;
  const signed = requestSignature(session, options);
  if (!signed) {
    const { widget, signedParams } = options;
    const given: readonly string[] = Object.keys(signedParams ?? {});
    const unsigned =
      widget === 'nft' ? ['NFT checkout'] : premiumOnly.filter((n) => given.includes(n));
    if (unsigned.length === 0) return undefined;
    throw new RampError(
      'ERR_CONFIG_INVALID',
      `${unsigned.join(' and ')} must be signed: pass api or signer to the component or RampProvider.`,
    );
  }
  const received = await withTimeout(TIMEOUT_MS, 'The signer', undefined, () =>
    signed.catch((error) => requestAgain(error, session, opening)).catch(throwSignerError),
  );
  if (received?.params?.signature) return received;
  throw new RampError(
    'ERR_SIGNER',
    'The signer returned no signed parameters. It must return { params } with a signature.',
  );
}

/**
 * Requests the signature once more, after the time that a rate limit asks for. Earlier prefetches, or other shoppers
 * with the same IP address, may have reached that limit.
 */
async function requestAgain(
  error: unknown,
  session: CheckoutSession,
  opening: Opening,
): Promise<SignedCheckout> {
  const seconds = (error as RampError | undefined)?.retryAfterSeconds;
  if (!seconds) throw error;
  await new Promise((done) => setTimeout(done, Math.min(seconds, MAX_WAIT_SECONDS) * 1000));
  const again = session.opening === opening && requestSignature(session, opening.options);
  if (!again) throw error;
  return again;
}

function throwSignerError(cause: unknown): never {
  throw toRampError(cause, 'ERR_SIGNER', 'The signer failed; see the cause.');
}
