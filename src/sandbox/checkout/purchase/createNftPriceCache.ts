import {
  createNftQuote,
  type Purchase,
  type SandboxQuote,
} from '../../catalog/pricing/createOnRampQuote.js';
import type { NftSession } from '../session/createWidgetSession.js';

/** How long a price that the page was told may be paid. The page asks three times as often. */
const PRICE_TTL_MS = 30_000;

/** Prices of NFTs, kept for as long as a page may show them: what is on the button is what is paid. */
export interface NftPriceCache {
  /** The price of this moment, which stands from now on. */
  createQuote(session: NftSession, purchase: Purchase): SandboxQuote;
  /** The one that stands for this session, or that of this moment. */
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
