import type { RampIssue } from '../protocol/ramp-error.js';
import { valueFormats } from '../protocol/value-formats.js';
import { paramsError } from '../protocol/widget-schemas.js';
import type { CryptoCurrency, FiatCurrency } from './catalog.js';
import { compareDecimals } from './decimal.js';
import { isEmail } from './is-email.js';
import type { Offer } from './offer.js';
import { fitsFamily } from './wallet-address.js';

/** What the page asks for; every value as the shopper left it. */
export interface PurchaseRequest {
  readonly fiatCurrency: string;
  readonly currencyAmount: string;
  readonly cryptoCurrencyCode: string;
}

export interface OrderRequest extends PurchaseRequest {
  readonly email: string;
  /** Left out when the URL hides or locks it. */
  readonly walletAddress?: string | undefined;
}

/** A purchase within what one URL offers. */
export interface Purchase {
  readonly fiat: FiatCurrency;
  readonly crypto: CryptoCurrency;
  readonly amount: string;
}

export interface OrderTerms extends Purchase {
  readonly email: string;
  readonly walletAddress: string;
}

/**
 * Holds a request against what its session offers: currencies, limits, the fixed amount.
 *
 * @throws RampError `ERR_PARAMS_INVALID` with issues
 */
export function checkPurchase(offer: Offer, request: PurchaseRequest): Purchase {
  const fiat = offer.fiats.find(({ code }) => code === request.fiatCurrency);
  const crypto = offer.cryptos.find(({ code }) => code === request.cryptoCurrencyCode);
  const wrongAmount = fiat && amountIssue(offer, fiat, request.currencyAmount);
  const issues: RampIssue[] = [];
  if (!fiat) issues.push({ param: 'fiatCurrency', message: 'is not on offer here' });
  if (!crypto) issues.push({ param: 'cryptoCurrencyCode', message: 'is not on offer here' });
  if (wrongAmount) issues.push({ param: 'currencyAmount', message: wrongAmount });
  if (!fiat || !crypto || issues.length > 0) throw paramsError(issues);
  return { fiat, crypto, amount: request.currencyAmount };
}

/**
 * The terms of an order. A wallet that the URL locks or hides comes from the URL, whatever the
 * page sends.
 *
 * @throws RampError `ERR_PARAMS_INVALID` with issues
 */
export function checkOrder(offer: Offer, request: OrderRequest): OrderTerms {
  const purchase = checkPurchase(offer, request);
  const enforced = offer.walletLocked || offer.walletHidden ? offer.walletAddress : undefined;
  const walletAddress = enforced ?? request.walletAddress ?? '';
  const issues: RampIssue[] = [];
  if (enforced && request.walletAddress && request.walletAddress !== enforced)
    issues.push({ param: 'walletAddress', message: 'is set by the shop and cannot be changed' });
  else if (!fitsFamily(walletAddress, purchase.crypto.family))
    issues.push({
      param: 'walletAddress',
      message: `is not an address on ${purchase.crypto.networkName}`,
    });
  if (!isEmail(request.email)) issues.push({ param: 'email', message: 'is not an e-mail address' });
  if (issues.length > 0) throw paramsError(issues);
  return { ...purchase, email: request.email, walletAddress };
}

function amountIssue(offer: Offer, fiat: FiatCurrency, amount: string): string | undefined {
  const { pattern, words } = valueFormats.fiatAmount;
  if (!pattern.test(amount)) return `must be ${words}`;
  if (fiat.digits === 0 && /\.0*[1-9]/.test(amount)) return `has no decimals in ${fiat.code}`;
  if (offer.amountFixed && compareDecimals(amount, offer.amount as string) !== 0)
    return 'is set by the shop and cannot be changed';
  if (compareDecimals(amount, fiat.min) < 0) return `is at least ${fiat.min} ${fiat.code}`;
  if (compareDecimals(amount, fiat.max) > 0) return `is at most ${fiat.max} ${fiat.code}`;
  return undefined;
}
