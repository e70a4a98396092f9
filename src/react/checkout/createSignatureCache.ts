import type { SignedCheckout } from '../backend/CheckoutSigner.js';
import type { CheckoutOptions } from './CheckoutOptions.js';

/** The signature of one button: at most one, cached or under way. */
export interface SignatureCache {
  /** Returns the signature for these options: the cached one, the one under way, or a new one. Nothing without a signer. */
  request(options: CheckoutOptions): Promise<SignedCheckout> | undefined;
  /** Returns how long the cached signature may still be used. */
  ttlMs(): number;
  /** Drops the cached signature, and aborts one under way. */
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
      // The identity of the signer is ignored: pages often create the function anew at each render.
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
          // Two clocks: one may stop while the machine sleeps, the other may be set back.
          const byDate = Date.now() + ms;
          const byTimer = performance.now() + ms;
          cache.ttlMs = () => Math.min(byDate - Date.now(), byTimer - performance.now());
          // Nothing is left to abort.
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
