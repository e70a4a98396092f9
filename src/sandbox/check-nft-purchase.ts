import type { RampIssue } from '../protocol/ramp-error.js';
import { paramsError } from '../protocol/widget-schemas.js';
import type { OrderTerms } from './check-purchase.js';
import { isEmail } from './is-email.js';
import { nftAmountIssue } from './nft-amount-issue.js';
import type { NftOffer } from './nft-offer.js';
import type { Purchase, Quote } from './quote.js';
import { sells } from './sells.js';

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
  if (!fiat) throw paramsError([{ param: 'fiatCurrency', message: 'is not on offer here' }]);
  if (!sells(crypto, fiat))
    throw paramsError([{ param: 'fiatCurrency', message: `does not buy ${crypto.symbol}` }]);
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
  priceOf: (purchase: Purchase) => Quote,
): { terms: OrderTerms; price: Quote } {
  const purchase = checkNftPurchase(offer, request);
  const price = priceOf(purchase);
  const outside = nftAmountIssue(purchase, price);
  const issues: RampIssue[] = [];
  if (outside) issues.push({ param: 'amount', message: outside });
  if (!isEmail(request.email)) issues.push({ param: 'email', message: 'is not an e-mail address' });
  if (issues.length > 0) throw paramsError(issues);
  const { settlement, nft } = offer;
  return { terms: { ...purchase, email: request.email, ...settlement, nft }, price };
}
