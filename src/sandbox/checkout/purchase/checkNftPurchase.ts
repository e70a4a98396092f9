import { createParamsError } from '../../../protocol/errors/createParamsError.js';
import type { RampIssue } from '../../../protocol/errors/RampError.js';
import { isSoldFor } from '../../catalog/isSoldFor.js';
import type { Purchase, SandboxQuote } from '../../catalog/pricing/createOnRampQuote.js';
import { findNftAmountIssue } from '../../catalog/pricing/findNftAmountIssue.js';
import { isEmail } from '../../internal/isEmail.js';
import type { OrderTerms } from '../../orders/OrderTerms.js';
import type { NftOffer } from '../offers/createNftOffer.js';

/** The request of an NFT page. It does not contain signed values. */
export interface NftRequest {
  readonly fiatCurrency: string;
}

export interface NftOrderRequest extends NftRequest {
  readonly email: string;
}

/**
 * Validates a request against the offer of its session. The page shows a card, so the first payment option
 * of the currency applies.
 *
 * @throws RampError `ERR_PARAMS_INVALID` with issues
 */
export function checkNftPurchase(offer: NftOffer, { fiatCurrency }: NftRequest): Purchase {
  const { crypto, price } = offer;
  const fiat = offer.fiats.find(({ code }) => code === fiatCurrency);
  if (!fiat)
    throw createParamsError([
      { param: 'fiatCurrency', message: 'is not offered in this checkout' },
    ]);
  if (!isSoldFor(crypto, fiat))
    throw createParamsError([{ param: 'fiatCurrency', message: `cannot buy ${crypto.symbol}` }]);
  return { fiat, crypto, option: fiat.paymentOptions[0], amount: price };
}

/**
 * Validates an order and returns its terms. Wallets, price and NFT are those of the URL.
 *
 * @param priceOf - Returns the price of the purchase, which must be within the limits of its option.
 * @throws RampError `ERR_PARAMS_INVALID` with issues
 */
export function checkNftOrder(
  offer: NftOffer,
  request: NftOrderRequest,
  priceOf: (purchase: Purchase) => SandboxQuote,
): { terms: OrderTerms; price: SandboxQuote } {
  const purchase = checkNftPurchase(offer, request);
  const price = priceOf(purchase);
  const outside = findNftAmountIssue(purchase, price);
  const issues: RampIssue[] = [];
  if (outside) issues.push({ param: 'amount', message: outside });
  if (!isEmail(request.email)) issues.push({ param: 'email', message: 'is not an e-mail address' });
  if (issues.length > 0) throw createParamsError(issues);
  const { settlement, nft } = offer;
  return { terms: { ...purchase, email: request.email, ...settlement, nft }, price };
}
