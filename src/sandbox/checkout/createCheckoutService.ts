import * as z from 'zod/mini';
import {
  createNftQuote,
  createOnRampQuote,
  type Purchase,
  type SandboxQuote,
  type UsdPrice,
} from '../catalog/pricing.js';
import type { OrderProgress, SandboxOrders } from '../orders.js';
import { parseWithSchema } from '../requests.js';
import { checkNftOrder, checkNftPurchase, checkOrder, checkPurchase } from './checkPurchase.js';
import type { NftSession, WidgetSession } from './widgetSession.js';

export const bodyText = z
  .string({ error: 'must be a string' })
  .check(z.maxLength(512, { error: 'must be at most 512 characters long' }));

const purchaseFields = {
  fiatCurrency: bodyText,
  currencyAmount: bodyText,
  cryptoCurrencyCode: bodyText,
};
const quoteBody = z.strictObject(purchaseFields);
const orderBody = z.strictObject({
  ...purchaseFields,
  email: bodyText,
  walletAddress: z.optional(bodyText),
});

// The signed values are in the session, so a body that contains one of them is rejected.
const nftQuoteBody = z.strictObject({ fiatCurrency: bodyText });
const nftOrderBody = z.strictObject({ fiatCurrency: bodyText, email: bodyText });

/** Handles an open checkout's requests. The session says whether the widget is the on-ramp or the NFT widget. */
export interface CheckoutService {
  /** @throws RampError `ERR_PARAMS_INVALID` with issues */
  quote(session: WidgetSession, body: unknown): SandboxQuote;
  /** @throws RampError `ERR_PARAMS_INVALID` with issues, RequestError 409 */
  order(session: WidgetSession, body: unknown): OrderProgress;
}

/**
 * Creates the service that quotes prices and places orders. The service receives no card data, because the page never
 * sends any.
 *
 * @param now - The clock that determines the prices, milliseconds since 1970.
 * @param getUsdPrice - Prices a coin. @default moving prices
 */
export function createCheckoutService(
  orders: SandboxOrders,
  now: () => number,
  getUsdPrice?: UsdPrice,
): CheckoutService {
  const prices = createNftPriceCache(now, getUsdPrice);
  return {
    quote(session, body) {
      if (session.widget === 'on-ramp')
        return createOnRampQuote(
          checkPurchase(session.offer, parseWithSchema(quoteBody, body)),
          now(),
          getUsdPrice,
        );
      return prices.createQuote(
        session,
        checkNftPurchase(session.offer, parseWithSchema(nftQuoteBody, body)),
      );
    },
    order(session, body) {
      if (session.widget === 'on-ramp') {
        const terms = checkOrder(session.offer, parseWithSchema(orderBody, body));
        return orders.place(session, terms, createOnRampQuote(terms, now(), getUsdPrice));
      }
      const { terms, price } = checkNftOrder(
        session.offer,
        parseWithSchema(nftOrderBody, body),
        (purchase) => prices.getQuote(session, purchase),
      );
      return orders.place(session, terms, price);
    },
  };
}

/**
 * How long a shopper can pay the quoted price of an NFT. The page refreshes the quote every 10 s, well before it
 * expires.
 */
const PRICE_TTL_MS = 30_000;

/** Caches the quotes of NFTs for as long as a page may show them, so that the shopper pays the price on the button. */
interface NftPriceCache {
  /** Creates a quote at the current price and caches it. */
  createQuote(session: NftSession, purchase: Purchase): SandboxQuote;
  /** Returns the cached quote of the session if it is still valid, otherwise a quote at the current price. */
  getQuote(session: NftSession, purchase: Purchase): SandboxQuote;
}

function createNftPriceCache(now: () => number, getUsdPrice: UsdPrice | undefined): NftPriceCache {
  const quotes = new WeakMap<NftSession, { price: SandboxQuote; atMs: number }>();
  return {
    createQuote(session, purchase) {
      const atMs = now();
      const price = createNftQuote(purchase, atMs, getUsdPrice);
      quotes.set(session, { price, atMs });
      return price;
    },
    getQuote(session, purchase) {
      const last = quotes.get(session);
      const isValid =
        last?.price.fiatCurrency === purchase.fiat.code && now() - last.atMs <= PRICE_TTL_MS;
      return isValid ? last.price : createNftQuote(purchase, now(), getUsdPrice);
    },
  };
}
