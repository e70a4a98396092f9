import {
  createNftQuote,
  type Purchase,
  type SandboxQuote,
} from '../../catalog/pricing/createOnRampQuote.js';
import type { NftSession } from '../session/createWidgetSession.js';

/** How long a shopper can pay a quoted price. The page requests a new quote three times as often. */
const PRICE_TTL_MS = 30_000;

/** Quotes of NFTs, cached while a page may show them, so that the shopper pays the price on the button. */
export interface NftPriceCache {
  /** Creates a quote at the current price and caches it. */
  createQuote(session: NftSession, purchase: Purchase): SandboxQuote;
  /** Returns the cached quote of the session if it is still valid, otherwise one at the current price. */
  getQuote(session: NftSession, purchase: Purchase): SandboxQuote;
}

export function createNftPriceCache(now: () => number): NftPriceCache {
  const quotes = new WeakMap<NftSession, { price: SandboxQuote; atMs: number }>();
  return {
    createQuote(session, purchase) {
      const atMs = now();
      const price = createNftQuote(purchase, atMs);
      quotes.set(session, { price, atMs });
      return price;
    },
    getQuote(session, purchase) {
      const last = quotes.get(session);
      const stands =
        last?.price.fiatCurrency === purchase.fiat.code && now() - last.atMs <= PRICE_TTL_MS;
      return stands ? last.price : createNftQuote(purchase, now());
    },
  };
}
