import {
  parseCryptoCurrencies,
  parseFiatCurrencies,
  parseQuote,
} from '../src/protocol/api/parseResources.js';
import { type BuyType, type CryptoCurrency, type Quote, RampError } from '../src/protocol/index.js';
import { createApiQuote, priceQuery } from '../src/sandbox/api/apiOperations.js';
import { createWireFormat, createWireRecords } from '../src/sandbox/api/wireFormat.js';
import * as sandbox from '../src/sandbox/catalog/cryptoCurrencies.js';
import { fiatCurrencies } from '../src/sandbox/catalog/fiatCurrencies.js';
import { PRICE_TIME } from './priceTime.js';

// The currencies and quotes of the sandbox, without its server. So the stories have the same prices as the demo.

const records = createWireRecords(
  createWireFormat({
    codeAsText: false,
    paymentOptionsAsObject: false,
    timesAsText: false,
    decimalsAsText: true,
    emptyListAsText: false,
  }),
  globalThis.location.origin,
);

/** The fiat currencies of the sandbox, as an API client returns them. */
export const currencies = parseFiatCurrencies(fiatCurrencies.map(records.fiatCurrency));

/** Returns the cryptocurrencies of the sandbox without `raw`, which a backend does not send to pages. */
export function cryptoCurrencies(buyType: BuyType): CryptoCurrency[] {
  const listed = buyType === 'nft' ? sandbox.nftCryptoCurrencies : sandbox.cryptoCurrencies;
  return parseCryptoCurrencies(listed.map(records.cryptoCurrency)).map(
    ({ raw: _, ...known }) => known,
  );
}

/**
 * Creates the quote for the query of a quote request, with the prices at PRICE_TIME.
 *
 * @throws RampError `ERR_QUOTE_UNAVAILABLE` if the query is invalid or the sandbox has no price
 */
export function quoteFromCatalog(search: URLSearchParams): Quote {
  const query = priceQuery.safeParse(Object.fromEntries(search));
  try {
    if (query.success) return parseQuote(records.quote(createApiQuote(query.data, PRICE_TIME)));
  } catch {}
  throw new RampError('ERR_QUOTE_UNAVAILABLE', 'No price is available for this.');
}
