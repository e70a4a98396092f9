import * as z from 'zod/mini';
import { createOnRampQuote, type SandboxQuote } from '../../catalog/pricing/createOnRampQuote.js';
import { parseWithSchema } from '../../internal/parseWithSchema.js';
import type { SandboxOrders } from '../../orders/createSandboxOrders.js';
import type { OrderProgress } from '../../orders/OrderProgress.js';
import type { WidgetSession } from '../session/createWidgetSession.js';
import { checkNftOrder, checkNftPurchase } from './checkNftPurchase.js';
import { checkOrder, checkPurchase } from './checkPurchase.js';
import { createNftPriceCache } from './createNftPriceCache.js';

/** The schema of a text in a request body. */
export const bodyText = z
  .string({ error: 'must be a string' })
  .check(z.maxLength(512, { error: 'must be at most 512 characters long' }));

const purchase = {
  fiatCurrency: bodyText,
  currencyAmount: bodyText,
  cryptoCurrencyCode: bodyText,
};
const quoteBody = z.strictObject(purchase);
const orderBody = z.strictObject({
  ...purchase,
  email: bodyText,
  walletAddress: z.optional(bodyText),
});

// The signed values are in the session, so a body that contains one of them is rejected.
const nftQuoteBody = z.strictObject({ fiatCurrency: bodyText });
const nftOrderBody = z.strictObject({ fiatCurrency: bodyText, email: bodyText });

/** The calls of an open checkout. The session determines the widget. */
export interface CheckoutService {
  /** @throws RampError `ERR_PARAMS_INVALID` with issues */
  quote(session: WidgetSession, body: unknown): SandboxQuote;
  /** @throws RampError `ERR_PARAMS_INVALID` with issues, RequestError 409 */
  order(session: WidgetSession, body: unknown): OrderProgress;
}

/**
 * Creates the service that quotes and places orders. It receives no card data: the card on the page is a picture.
 *
 * @param now - The clock of the prices.
 */
export function createCheckoutService(orders: SandboxOrders, now: () => number): CheckoutService {
  const prices = createNftPriceCache(now);
  return {
    quote(session, body) {
      if (session.widget === 'on-ramp')
        return createOnRampQuote(
          checkPurchase(session.offer, parseWithSchema(quoteBody, body)),
          now(),
        );
      return prices.createQuote(
        session,
        checkNftPurchase(session.offer, parseWithSchema(nftQuoteBody, body)),
      );
    },
    order(session, body) {
      if (session.widget === 'on-ramp') {
        const terms = checkOrder(session.offer, parseWithSchema(orderBody, body));
        return orders.place(session, terms, createOnRampQuote(terms, now()));
      }
      const { terms, price } = checkNftOrder(
        session.offer,
        parseWithSchema(nftOrderBody, body),
        (asked) => prices.getQuote(session, asked),
      );
      return orders.place(session, terms, price);
    },
  };
}
