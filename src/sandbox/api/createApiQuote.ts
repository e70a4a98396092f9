import { createParamsError } from '../../protocol/errors/createParamsError.js';
import type { RampIssue } from '../../protocol/errors/RampError.js';
import { valueFormats } from '../../protocol/widget/valueFormats.js';
import { cryptoCurrencies, nftCryptoCurrencies } from '../catalog/cryptoCurrencies.js';
import { fiatCurrencies } from '../catalog/fiatCurrencies.js';
import { isSoldFor } from '../catalog/isSoldFor.js';
import {
  createNftQuote,
  createOnRampQuote,
  type Purchase,
  type SandboxQuote,
} from '../catalog/pricing/createOnRampQuote.js';
import { findAmountIssue } from '../catalog/pricing/findAmountIssue.js';
import { findNftAmountIssue } from '../catalog/pricing/findNftAmountIssue.js';
import type { PriceQuery } from './apiQueries.js';

/** A purchase and its price. */
export interface ApiQuote {
  readonly purchase: Purchase;
  readonly price: SandboxQuote;
}

/**
 * Creates the quote for a price query (docs/service-interface.md section 4.4) at the time `atMs`. Without
 * `payment` it uses the currency's first option. The payment must be within the option's limits, also for an NFT.
 *
 * @throws RampError `ERR_PARAMS_INVALID` with issues
 */
export function createApiQuote(query: PriceQuery, atMs: number): ApiQuote {
  const forNft = query.buyType === 'nft';
  const purchase = findPurchase(query, forNft ? nftCryptoCurrencies : cryptoCurrencies);
  const { fiat, option, amount } = purchase;
  if (!forNft) {
    throwAmountIssue(findAmountIssue(fiat, option, amount));
    return { purchase, price: createOnRampQuote(purchase, atMs) };
  }
  const { pattern, words } = valueFormats.cryptoAmount;
  if (!pattern.test(amount)) throwAmountIssue(`must be ${words}`);
  const price = createNftQuote(purchase, atMs);
  throwAmountIssue(findNftAmountIssue(purchase, price));
  return { purchase, price };
}

function findPurchase(query: PriceQuery, offered: typeof cryptoCurrencies): Purchase {
  const fiat = fiatCurrencies.find(({ code }) => code === query.fiatCurrency);
  const crypto = offered.find(({ code }) => code === query.cryptoCurrencyCode);
  const [first] = fiat?.paymentOptions ?? [];
  const option =
    query.payment === undefined
      ? first
      : fiat?.paymentOptions.find(({ name }) => name === query.payment);
  const issues: RampIssue[] = [];
  if (!fiat)
    issues.push({ param: 'fiatCurrency', message: 'is not in the list of fiat currencies' });
  else if (!option)
    issues.push({ param: 'payment', message: `is not a payment option of ${fiat.code}` });
  if (!crypto)
    issues.push({ param: 'cryptoCurrencyCode', message: 'is not in the list of cryptocurrencies' });
  else if (fiat && !isSoldFor(crypto, fiat))
    issues.push({ param: 'cryptoCurrencyCode', message: `is not sold for ${fiat.code}` });
  if (!fiat || !crypto || !option || issues.length > 0) throw createParamsError(issues);
  return { fiat, crypto, option, amount: query.currencyAmount };
}

function throwAmountIssue(message: string | undefined): void {
  if (message) throw createParamsError([{ param: 'currencyAmount', message }]);
}
