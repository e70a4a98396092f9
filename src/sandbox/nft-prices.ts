import { nftQuote, type Purchase, type Quote } from './quote.js';
import type { NftSession } from './widget-sessions.js';

/** How long a price that the page was told may be paid. The page asks three times as often. */
const STANDS_MS = 30_000;

/** Prices of NFTs, kept for as long as a page may show them: what is on the button is what is paid. */
export interface NftPrices {
  /** The price of this moment, which stands from now on. */
  ask(session: NftSession, purchase: Purchase): Quote;
  /** The one that stands for this session, or that of this moment. */
  standing(session: NftSession, purchase: Purchase): Quote;
}

export function nftPrices(now: () => number): NftPrices {
  const told = new WeakMap<NftSession, { price: Quote; atMs: number }>();
  return {
    ask(session, purchase) {
      const atMs = now();
      const price = nftQuote(purchase, atMs);
      told.set(session, { price, atMs });
      return price;
    },
    standing(session, purchase) {
      const last = told.get(session);
      const stands =
        last?.price.fiatCurrency === purchase.fiat.code && now() - last.atMs <= STANDS_MS;
      return stands ? last.price : nftQuote(purchase, now());
    },
  };
}
