import { dehydrate, onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RampProvider } from '../../../../src/index.js';
import { useCryptoCurrencies, useFiatCurrencies } from '../../../../src/quotes.js';
import { card, fresh, lists, quoteBackend } from '../../../support/browser/quoteBackend.js';

let client: QueryClient;
const Queries = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={client}>{children}</QueryClientProvider>
);
const Page = ({ children }: { children: ReactNode }) => (
  <Queries>
    <RampProvider api="/api/ramp/">{children}</RampProvider>
  </Queries>
);
const wrapper = { wrapper: Page };
const dollars = (...paymentOptions: unknown[]) => ({ fiatCurrency: 'USD', paymentOptions });

beforeEach(() => {
  client = new QueryClient();
});
afterEach(() => {
  cleanup();
  onlineManager.setOnline(true);
});

describe('useFiatCurrencies', () => {
  it('fetches the list once for several components', async () => {
    const { requests } = quoteBackend();
    const first = renderHook(() => useFiatCurrencies(), wrapper);
    const { result } = renderHook(() => useFiatCurrencies(), wrapper);
    expect(result.current).toMatchObject({ status: 'loading', data: undefined });
    await waitFor(() => expect(result.current.status).toBe('success'));
    expect(result.current).toMatchObject({
      stale: false,
      error: undefined,
      data: [{ fiatCurrency: 'USD' }, { fiatCurrency: 'EUR' }, { fiatCurrency: 'GBP' }],
    });
    expect(first.result.current.data).toBe(result.current.data);
    expect(requests.map(({ route }) => route)).toEqual(['/currencies']);
  });

  it('keeps its list when the token changes, and does not cache the token', async () => {
    const { requests } = quoteBackend(({ route }) => lists[route]);
    const { result, rerender } = renderHook(
      ({ token }) => useFiatCurrencies({ headers: { Authorization: token } }),
      { ...wrapper, initialProps: { token: 'canary-1' } },
    );
    await waitFor(() => expect(result.current.status).toBe('success'));
    rerender({ token: 'canary-2' });
    expect(result.current.status).toBe('success');
    expect(requests.map(({ init }) => new Headers(init.headers).get('authorization'))).toEqual([
      'canary-1',
    ]);
    expect(JSON.stringify(dehydrate(client))).not.toContain('canary');
  });

  it.each([
    ['no list', { ...fresh }],
    ['a null entry', { currencies: [null], ...fresh }],
    ['no payment options', { currencies: [{ fiatCurrency: 'USD' }], ...fresh }],
    ['a limit that is a number', { currencies: [dollars({ ...card, minAmount: 15 })], ...fresh }],
    ['a name that is not text', { currencies: [{ ...dollars(card), name: {} }], ...fresh }],
  ])('refuses a response with %s', async (_, body) => {
    quoteBackend(() => body);
    const { result } = renderHook(() => useFiatCurrencies(), wrapper);
    await waitFor(() => expect(result.current.status).toBe('error'));
    expect(result.current.error).toMatchObject({ name: 'RampError', code: 'ERR_RESPONSE_INVALID' });
  });

  it('keeps the list as stale when the refresh fails', async () => {
    const { requests } = quoteBackend(() => undefined);
    const { result } = renderHook(() => useFiatCurrencies(), wrapper);
    await waitFor(() => expect(requests).toHaveLength(1));
    requests[0]?.respond(lists['/currencies']);
    await waitFor(() => expect(result.current.status).toBe('success'));
    act(() => result.current.retry());
    await waitFor(() => expect(requests).toHaveLength(2));
    requests[1]?.respond({ error: { code: 'ERR_TIMEOUT', message: 'Late.' } }, 504);
    await waitFor(() => expect(result.current.stale).toBe(true));
    expect(result.current).toMatchObject({ status: 'success', error: { code: 'ERR_TIMEOUT' } });
  });

  it('returns offline without a connection, and fetches the list when it is back', async () => {
    quoteBackend();
    onlineManager.setOnline(false);
    const { result } = renderHook(() => useFiatCurrencies(), wrapper);
    expect(result.current.status).toBe('offline');
    act(() => onlineManager.setOnline(true));
    await waitFor(() => expect(result.current.status).toBe('success'));
  });

  it('returns an error without an api', async () => {
    const { requests } = quoteBackend();
    const { result } = renderHook(() => useFiatCurrencies(), { wrapper: Queries });
    await waitFor(() => expect(result.current.error?.code).toBe('ERR_CONFIG_INVALID'));
    expect(requests).toHaveLength(0);
  });
});

describe('useCryptoCurrencies', () => {
  it('fetches the currencies to buy, or the currencies of NFT prices', async () => {
    const { requests } = quoteBackend();
    const fiat = renderHook(() => useCryptoCurrencies({ buyType: 'fiat' }), wrapper);
    const nft = renderHook(() => useCryptoCurrencies({ buyType: 'nft' }), wrapper);
    await waitFor(() => expect(fiat.result.current.status).toBe('success'));
    await waitFor(() => expect(nft.result.current.status).toBe('success'));
    expect(requests.map(({ query }) => query)).toEqual([{}, { buyType: 'nft' }]);
    expect(nft.result.current.data?.[0]?.cryptoCurrencyCode).toBe('USDT_ERC20');
  });

  it('refuses a currency without a code', async () => {
    quoteBackend(() => ({ cryptoCurrencies: [{ cryptoCurrency: 'USDT' }], ...fresh }));
    const { result } = renderHook(() => useCryptoCurrencies(), wrapper);
    await waitFor(() => expect(result.current.error?.code).toBe('ERR_RESPONSE_INVALID'));
  });
});
