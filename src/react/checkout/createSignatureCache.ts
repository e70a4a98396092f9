import type { SignedCheckout } from '../backend/createHttpSigner.js';
import type { CheckoutOptions } from './CheckoutOptions.js';

/** The signature of one button: at most one, cached or pending. */
export interface SignatureCache {
  /** Returns the signature for these options: cached, pending or new. `undefined` without a signer. */
  request(options: CheckoutOptions): Promise<SignedCheckout> | undefined;
  /** Returns how long the cached signature may still be used, in milliseconds. */
  ttlMs(): number;
  /** Discards the cached signature, and aborts a pending request. */
  discard(): void;
}

/** Creates the cache of one button. Each signature serves one opening. */
export function createSignatureCache(): SignatureCache {
  let key: string | undefined;
  let signature: Promise<SignedCheckout> | undefined;
  let controller: AbortController | undefined;

  const cache = {
    request({
      widget,
      signer,
      signedParams: params = {},
      maxAgeSeconds = 60,
      api,
      headers,
    }: CheckoutOptions): Promise<SignedCheckout> | undefined {
      // The identity of the signer is ignored: pages often create a new function at each render.
      const next = JSON.stringify([widget, params, api, headers]);
      if (signature && signer && next === key && cache.ttlMs() > 0) return signature;
      cache.discard();
      if (!signer) return;
      controller = new AbortController();
      const { signal } = controller;
      const mine = (async () => signer({ widget, params }, { signal }))();
      key = next;
      signature = mine;
      cache.ttlMs = () => Infinity;
      mine.then(
        (received) => {
          if (mine !== signature) return;
          const ms = Math.min(maxAgeSeconds, received?.expiresInSeconds ?? maxAgeSeconds) * 1000;
          // Two clocks: the monotonic one may stop while the machine sleeps, the other may be set back.
          const byDate = Date.now() + ms;
          const byTimer = performance.now() + ms;
          cache.ttlMs = () => Math.min(byDate - Date.now(), byTimer - performance.now());
          // The request has ended: discard() must not abort it.
          controller = undefined;
        },
        () => {
          // Reported by the opening that awaits it.
          if (mine === signature) signature = undefined;
        },
      );
      return mine;
    },
    ttlMs: () => 0,
    discard() {
      controller?.abort();
      controller = signature = undefined;
    },
  };
  return cache;
}
