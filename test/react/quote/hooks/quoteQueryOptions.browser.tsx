import {
  type DehydratedState,
  dehydrate,
  HydrationBoundary,
  QueryClient,
  QueryClientProvider,
} from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { QuotePreview, RampProvider } from '../../../../src/index.js';
import {
  cryptoCurrenciesQueryOptions,
  fiatCurrenciesQueryOptions,
  quoteQueryOptions,
  useQuote,
} from '../../../../src/quotes.js';
import {
  createQuoteResponse,
  lists,
  quoteBackend,
  respondToAll,
} from '../../../support/browser/quoteBackend.js';
import { expectState, result } from '../../../support/browser/quotePreviewPage.js';

const selection = {
  amount: '100',
  fiatCurrency: 'USD',
  cryptoCurrencyCode: 'USDT_ERC20',
  payment: 'CREDIT_DEBIT_CARD',
};
const settings = { api: '/api/ramp' };

/** Loads everything that the card needs, as a server does, and returns the cache as JSON. */
async function prefetch() {
  const server = new QueryClient();
  const handler = {
    ...settings,
    fetch: async (path: string) => {
      const { pathname, searchParams } = new URL(path, 'https://shop.example');
      const body = lists[pathname.replace('/api/ramp', '')];
      return Response.json(body ?? createQuoteResponse(Object.fromEntries(searchParams)));
    },
  };
  await Promise.all([
    server.prefetchQuery(quoteQueryOptions(selection, handler)),
    server.prefetchQuery(fiatCurrenciesQueryOptions(handler)),
    server.prefetchQuery(cryptoCurrenciesQueryOptions(handler)),
  ]);
  return JSON.parse(JSON.stringify(dehydrate(server)));
}

const Price = () => <b>{useQuote(selection).data?.cryptoCurrencyAmount}</b>;

function createPage(state: DehydratedState | undefined, client = new QueryClient()) {
  return (
    <QueryClientProvider client={client}>
      <HydrationBoundary state={state}>
        <RampProvider api="/api/ramp/">
          <Price />
          <QuotePreview defaultValue={selection} />
        </RampProvider>
      </HydrationBoundary>
    </QueryClientProvider>
  );
}

afterEach(cleanup);

describe('a price that the server has prefetched', () => {
  it('is in the HTML of the server', async () => {
    const html = renderToString(createPage(await prefetch()));
    expect(html).toContain('<b>97.09000000</b>');
  });

  it('is shown by the hook and by the card, without a request', async () => {
    const { requests } = quoteBackend(respondToAll);
    render(createPage(await prefetch()));
    expect(screen.getByText('97.09000000')).toBeTruthy();
    await expectState('success');
    expect(result()).toBe('97.09');
    expect(requests).toEqual([]);
  });
});

describe('the key of a quote', () => {
  it('names the route, the backend and the query, and no header', () => {
    const options = quoteQueryOptions(selection, {
      api: '/api/ramp/',
      credentials: 'include',
      headers: { Authorization: 'token' },
    });
    expect(JSON.parse(JSON.stringify(options.queryKey))).toEqual([
      'partner-ramp',
      'quote',
      { api: '/api/ramp', credentials: 'include' },
      {
        fiatCurrency: 'USD',
        currencyAmount: '100',
        cryptoCurrencyCode: 'USDT_ERC20',
        payment: 'CREDIT_DEBIT_CARD',
      },
    ]);
  });

  it.each([
    ['all prices', { queryKey: ['partner-ramp', 'quote'] }, ['/quote']],
    ['one price', quoteQueryOptions(selection, settings), ['/quote']],
    ['everything', { queryKey: ['partner-ramp'] }, ['/cryptocurrencies', '/currencies', '/quote']],
  ])('invalidates %s', async (_, { queryKey }, routes) => {
    const { requests } = quoteBackend(respondToAll);
    const client = new QueryClient();
    render(createPage(undefined, client));
    await expectState('success');
    requests.length = 0;
    act(() => void client.invalidateQueries({ queryKey }));
    await waitFor(() => expect(requests.map(({ route }) => route).sort()).toEqual(routes));
  });
});

describe('quoteQueryOptions', () => {
  it('rejects without an amount, and sends no request', async () => {
    const { requests } = quoteBackend(respondToAll);
    const options = quoteQueryOptions({ ...selection, amount: '' }, settings);
    await expect(new QueryClient().fetchQuery(options)).rejects.toMatchObject({
      code: 'ERR_CONFIG_INVALID',
    });
    expect(requests).toEqual([]);
  });
});

it('useQuote throws without a QueryClientProvider, as useQuery does', () => {
  expect(() => renderToString(<Price />)).toThrow(/QueryClientProvider/);
});
