// `tsc` checks this file, and nothing runs it. If the types accept the code below a `@ts-expect-error`, `tsc` fails.
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { OnRampButton, QuotePreview } from '../../../src/index.js';
import { quoteQueryOptions, useCryptoCurrencies, useQuote } from '../../../src/quotes.js';

const value = { amount: '100', fiatCurrency: 'USD', cryptoCurrencyCode: 'ETH' };

export const fine = [
  <QuotePreview key="1" defaultValue={{ amount: '99.50' }} />,
  <QuotePreview key="2" value={value} onValueChange={({ amount }) => amount.length} />,
  <QuotePreview key="3" fiatCurrency={['USD', 'EUR']} cryptoCurrency="ETH,BTC" buyType="nft" />,
  <QuotePreview key="4" api="/ramp" id="price" className="mine" style={{ color: 'red' }} />,
  <QuotePreview key="5">{({ data: quote }) => quote?.cryptoCurrencyAmount}</QuotePreview>,
  <QuotePreview key="6" render={(props) => <section {...props} />}>
    <OnRampButton />
  </QuotePreview>,
];

export const refused = [
  // @ts-expect-error amounts are decimal text
  <QuotePreview key="1" defaultValue={{ amount: 100 }} />,
  // @ts-expect-error a controlled value must also have both currencies
  <QuotePreview key="2" value={{ amount: '100' }} />,
  // @ts-expect-error 'crypto' is no buyType
  <QuotePreview key="3" buyType="crypto" />,
];

// @ts-expect-error a selection must have both currencies
export const noCoin = () => useQuote({ fiatCurrency: 'USD', amount: '100' });

// @ts-expect-error 'token' is no buyType
export const noSuchList = () => useCryptoCurrencies({ buyType: 'token' });

/** The queries are options of react-query, with the type of their data and errors. */
export function useOwnQuery(client: QueryClient) {
  const options = quoteQueryOptions(value, { api: '/ramp' });
  void client.prefetchQuery(options);
  const { data, error } = useQuery(options);
  return [data?.quote.currencyAmount, error?.code];
}
