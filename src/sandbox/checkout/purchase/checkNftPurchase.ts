import { createParamsError } from '../../../protocol/errors/createParamsError.js';
import type { RampIssue } from '../../../protocol/errors/RampError.js';
import { isSoldFor } from '../../catalog/isSoldFor.js';
import type { Purchase, SandboxQuote } from '../../catalog/pricing/createOnRampQuote.js';
import { findNftAmountIssue } from '../../catalog/pricing/findNftAmountIssue.js';
import { isEmail } from '../../internal/isEmail.js';
import type { OrderTerms } from '../../orders/OrderTerms.js';
import type { NftOffer } from '../offers/createNftOffer.js';

/** What the page of an NFT checkout asks for. Everything else was signed, so it is not asked. */
export interface NftRequest {
  readonly fiatCurrency: string;
}

export interface NftOrderRequest extends NftRequest {
  readonly email: string;
}

/**
 * Holds a request against what its session offers. The page draws a card, so it is paid with the
 * first option of its currency.
 *
 * @throws RampError `ERR_PARAMS_INVALID` with issues
 */
export function checkNftPurchase(offer: NftOffer, { fiatCurrency }: NftRequest): Purchase {
  const { crypto, price } = offer;
  const fiat = offer.fiats.find(({ code }) => code === fiatCurrency);
  if (!fiat) throw createParamsError([{ param: 'fiatCurrency', message: 'is not on offer here' }]);
  if (!isSoldFor(crypto, fiat))
    throw createParamsError([{ param: 'fiatCurrency', message: `does not buy ${crypto.symbol}` }]);
  return { fiat, crypto, option: fiat.paymentOptions[0], amount: price };
}

/**
 * The terms of an order: wallets, price and NFT are those of the URL.
 *
 * @param priceOf - What the purchase costs; it must be within the limits of its option.
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
