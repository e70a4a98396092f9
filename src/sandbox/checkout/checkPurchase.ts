import { compareDecimals } from '../../protocol/decimals.js';
import { createParamsError, type RampIssue } from '../../protocol/errors/RampError.js';
import {
  findAmountIssue,
  findNftAmountIssue,
  type Purchase,
  type SandboxQuote,
} from '../catalog/pricing.js';
import { isAddressOfFamily, isEmail, isSoldFor } from '../catalog/purchaseRules.js';
import type { OrderTerms } from '../orders.js';
import type { NftOffer, OnRampOffer } from './offers.js';

/** The page's request, with the values that the shopper entered. */
export interface PurchaseRequest {
  readonly fiatCurrency: string;
  readonly currencyAmount: string;
  readonly cryptoCurrencyCode: string;
}

export interface OrderRequest extends PurchaseRequest {
  readonly email: string;
  /** Absent when the URL hides or locks the wallet. */
  readonly walletAddress?: string | undefined;
}

/**
 * Validates a request against its session's offer: the currencies, the limits and a fixed amount. The page offers only
 * a card, which is the first payment option of every currency, so the limits of that option apply.
 *
 * @throws RampError `ERR_PARAMS_INVALID` with issues
 */
export function checkPurchase(offer: OnRampOffer, request: PurchaseRequest): Purchase {
  const fiat = offer.fiats.find(({ code }) => code === request.fiatCurrency);
  const crypto = offer.cryptos.find(({ code }) => code === request.cryptoCurrencyCode);
  const amount = request.currencyAmount;
  const wrongAmount =
    fiat &&
    (findAmountIssue(fiat, fiat.paymentOptions[0], amount) ?? findFixedAmountIssue(offer, amount));
  const issues: RampIssue[] = [];
  if (!fiat) issues.push({ param: 'fiatCurrency', message: 'is not offered in this checkout' });
  if (!crypto)
    issues.push({ param: 'cryptoCurrencyCode', message: 'is not offered in this checkout' });
  else if (fiat && !isSoldFor(crypto, fiat))
    issues.push({ param: 'cryptoCurrencyCode', message: `is not sold for ${fiat.code}` });
  if (wrongAmount) issues.push({ param: 'currencyAmount', message: wrongAmount });
  if (!fiat || !crypto || issues.length > 0) throw createParamsError(issues);
  return { fiat, crypto, option: fiat.paymentOptions[0], amount };
}

/**
 * Validates an order and returns its terms. If the URL locks or hides the wallet, the order uses that wallet, and a
 * request with a different one is rejected.
 *
 * @throws RampError `ERR_PARAMS_INVALID` with issues
 */
export function checkOrder(offer: OnRampOffer, request: OrderRequest): OrderTerms {
  const purchase = checkPurchase(offer, request);
  const enforced = offer.walletLocked || offer.walletHidden ? offer.walletAddress : undefined;
  const walletAddress = enforced ?? request.walletAddress ?? '';
  const issues: RampIssue[] = [];
  if (enforced && request.walletAddress && request.walletAddress !== enforced)
    issues.push({ param: 'walletAddress', message: 'is set by the shop and cannot be changed' });
  else if (!isAddressOfFamily(walletAddress, purchase.crypto.family))
    issues.push({
      param: 'walletAddress',
      message: walletAddress
        ? `is not an address on ${purchase.crypto.networkName}`
        : 'is required',
    });
  if (!isEmail(request.email)) issues.push({ param: 'email', message: 'is not an e-mail address' });
  if (issues.length > 0) throw createParamsError(issues);
  return { ...purchase, email: request.email, walletAddress };
}

function findFixedAmountIssue(offer: OnRampOffer, amount: string): string | undefined {
  return offer.amountFixed && compareDecimals(amount, offer.amount as string) !== 0
    ? 'is set by the shop and cannot be changed'
    : undefined;
}

/** An NFT page's request. It omits the signed values, such as the price, because they come from the session. */
export interface NftRequest {
  readonly fiatCurrency: string;
}

export interface NftOrderRequest extends NftRequest {
  readonly email: string;
}

/**
 * Validates a request against its session's offer. The page offers only a card, which is the first payment option of
 * every currency.
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
 * Validates an order and returns its terms. The wallets, the price and the NFT come from the signed URL.
 *
 * @param priceOf - Returns the quote for the purchase. The quote's fiat amount must be within the payment option's
 * limits.
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
