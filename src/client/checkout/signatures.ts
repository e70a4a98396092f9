import type { SignedCheckout } from '../backend/createHttpSigner.js';
import type { CheckoutOptions } from './CheckoutSettings.js';
import { createProposal } from './createProposal.js';

/** How long a signature may be used if neither the page nor the backend limits it, in seconds. */
const MAX_AGE_SECONDS = 60;

/** One button's cache, which holds at most one signature. */
export interface Signatures {
  /**
   * Returns the cached or pending signature, or requests one. A signature that has expired, or that was requested with
   * other options, is discarded first. Returns `undefined` without a signer.
   */
  request(options: CheckoutOptions): Promise<SignedCheckout> | undefined;
  /** Returns how long the cached signature may still be used, in milliseconds: `Infinity` until it is received. */
  getTtlMs(options: CheckoutOptions): number;
  /** Discards the cached signature, and aborts a pending request. */
  discard(): void;
}

interface CachedSignature {
  readonly signed: Promise<SignedCheckout>;
  readonly options: CheckoutOptions;
  readonly controller: AbortController;
  /** How long the signature may be used, and when it arrived, by two clocks. */
  received?: { readonly seconds: number | undefined; readonly date: number; readonly time: number };
}

export function createSignatures(): Signatures {
  let cached: CachedSignature | undefined;

  function add(options: CheckoutOptions, signer: NonNullable<CheckoutOptions['signer']>) {
    const controller = new AbortController();
    // A signer may throw instead of rejecting.
    const signed = (async () => signer(createProposal(options), { signal: controller.signal }))();
    const entry: CachedSignature = { signed, options, controller };
    cached = entry;
    signed.then(
      (reply) => {
        const seconds = reply?.expiresInSeconds;
        entry.received = { seconds, date: Date.now(), time: performance.now() };
      },
      // The opening that awaits the signature reports the error, perhaps only after its code has loaded.
      () => {
        if (cached === entry) cached = undefined;
      },
    );
    return signed;
  }

  /**
   * The age is measured with two clocks, and the larger age counts, because `performance.now()` may stop while the
   * machine sleeps, and `Date.now()` may be set back.
   */
  function getTtlMs(options: CheckoutOptions): number {
    const { received } = cached ?? {};
    if (!received) return Number.POSITIVE_INFINITY;
    const { seconds, date, time } = received;
    const ageMs = Math.max(Date.now() - date, performance.now() - time);
    return getSignatureMs(options, { expiresInSeconds: seconds }) - ageMs;
  }

  function discard(): void {
    // A signer may log aborts, so do not abort a request that has ended.
    if (cached && !cached.received) cached.controller.abort();
    cached = undefined;
  }

  return {
    request(options) {
      if (cached && (getTtlMs(options) <= 0 || toKey(cached.options) !== toKey(options))) discard();
      const { signer } = options;
      return cached?.signed ?? (signer && add(options, signer));
    },
    getTtlMs,
    discard,
  };
}

/** Returns how long a new signature may be used, in milliseconds. */
export function getSignatureMs(
  { maxAgeSeconds = MAX_AGE_SECONDS }: CheckoutOptions,
  { expiresInSeconds = maxAgeSeconds }: Pick<SignedCheckout, 'expiresInSeconds'>,
): number {
  return Math.min(maxAgeSeconds, expiresInSeconds) * 1000;
}

/** The part of a selection that a policy may rely on. `amount` is missing: the shopper may change it in the widget. */
const bindingNames = [
  'cryptoCurrency',
  'defaultCurrency',
  'cryptoNetwork',
  'fiatCurrency',
  'defaultFiatCurrency',
  'amountFixed',
];

/**
 * Returns the options that a signature depends on, as text. It says only whether there is a signer, because pages often
 * pass a new function on each render.
 */
const toKey = ({ widget, signer, signedParams, unsignedParams, api, headers }: CheckoutOptions) =>
  JSON.stringify([widget, signedParams ?? {}, api, headers, !signer]) +
  JSON.stringify(unsignedParams ?? {}, bindingNames);
