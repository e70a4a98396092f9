import type { RampIssue } from '../../protocol/ramp-error.js';
import { valueFormats } from '../../protocol/value-formats.js';
import { paramsError } from '../../protocol/widget-schemas.js';
import { amountIssue } from '../amount-issue.js';
import { cryptoCurrencies, nftCryptoCurrencies } from '../crypto-currencies.js';
import { fiatCurrencies } from '../fiat-currencies.js';
import { nftAmountIssue } from '../nft-amount-issue.js';
import { nftQuote, type Purchase, type Quote, quote } from '../quote.js';
import { sells } from '../sells.js';
import type { PriceQuery } from './api-queries.js';

/** A price, with what it is the price of. */
export interface AskedQuote {
  readonly purchase: Purchase;
  readonly price: Quote;
}

/**
 * Answers a price query (section 4.4) at one moment of the clock. Without `payment` it is the first
 * option of the currency; what is paid must be within its limits, for an NFT too.
 *
 * @throws RampError `ERR_PARAMS_INVALID` with issues
 */
export function askedQuote(query: PriceQuery, atMs: number): AskedQuote {
  const forNft = query.buyType === 'nft';
  const purchase = askedPurchase(query, forNft ? nftCryptoCurrencies : cryptoCurrencies);
  const { fiat, option, amount } = purchase;
  if (!forNft) {
    refuse(amountIssue(fiat, option, amount));
    return { purchase, price: quote(purchase, atMs) };
  }
  const { pattern, words } = valueFormats.cryptoAmount;
  if (!pattern.test(amount)) refuse(`must be ${words}`);
  const price = nftQuote(purchase, atMs);
  refuse(nftAmountIssue(purchase, price));
  return { purchase, price };
}

function askedPurchase(query: PriceQuery, offered: typeof cryptoCurrencies): Purchase {
  const fiat = fiatCurrencies.find(({ code }) => code === query.fiatCurrency);
  const crypto = offered.find(({ code }) => code === query.cryptoCurrencyCode);
  const [first] = fiat?.paymentOptions ?? [];
  const option =
    query.payment === undefined
      ? first
      : fiat?.paymentOptions.find(({ name }) => name === query.payment);
  const issues: RampIssue[] = [];
  if (!fiat) issues.push({ param: 'fiatCurrency', message: 'is not on the list' });
  else if (!option) issues.push({ param: 'payment', message: `is no option of ${fiat.code}` });
  if (!crypto) issues.push({ param: 'cryptoCurrencyCode', message: 'is not on the list' });
  else if (fiat && !sells(crypto, fiat))
    issues.push({ param: 'cryptoCurrencyCode', message: `is not sold for ${fiat.code}` });
  if (!fiat || !crypto || !option || issues.length > 0) throw paramsError(issues);
  return { fiat, crypto, option, amount: query.currencyAmount };
}

function refuse(message: string | undefined): void {
  if (message) throw paramsError([{ param: 'currencyAmount', message }]);
}
