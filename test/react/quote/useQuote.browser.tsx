import {
  focusManager,
  onlineManager,
  QueryClient,
  QueryClientProvider,
} from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type QuoteOptions, type QuoteQuery, RampProvider, useQuote } from '../../../src/index.js';
import { answersAll, fresh, quoteBackend, quoteFor } from '../../support/quote-backend.js';

const question: QuoteQuery = {
  fiatCurrency: 'USD',
  currencyAmount: '100',
  cryptoCurrencyCode: 'USDT_ERC20',
};
const amount = (currencyAmount: string) => ({ ...question, currencyAmount });

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

let client: QueryClient;
const Page = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={client}>
    <RampProvider api="/api/ramp">{children}</RampProvider>
  </QueryClientProvider>
);
const ask = (first: QuoteQuery | undefined, options: QuoteOptions = {}) =>
  renderHook(({ query }) => useQuote(query, options), {
    wrapper: Page,
    initialProps: { query: first },
  });

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient();
});
afterEach(() => {
  cleanup();
  client.clear();
  focusManager.setFocused(undefined);
  onlineManager.setOnline(true);
  vi.useRealTimers();
});

describe('useQuote', () => {
  it('asks nothing about nothing', async () => {
    const { asked } = quoteBackend();
    const { result } = ask(undefined);
    await pass(60_000);
    expect(result.current).toMatchObject({ status: 'idle', quote: undefined, error: undefined });
    act(() => result.current.refetch());
    await pass(0);
    expect(asked).toHaveLength(0);
  });

  it('asks the route with what is given, and leaves out what is not', async () => {
    const { asked } = quoteBackend(answersAll);
    const headers = { 'X-Csrf': 't' };
    const { result } = ask(
      { ...question, payment: 'CARD_PAYMENT' },
      { headers, credentials: 'include' },
    );
    expect(result.current.status).toBe('loading');
    await pass(0);
    expect(asked).toMatchObject([
      {
        route: '/quote',
        query: { ...question, payment: 'CARD_PAYMENT' },
        init: { credentials: 'include', headers },
      },
    ]);
    expect(result.current).toMatchObject({ status: 'quote', isPrevious: false });
    expect(result.current.quote?.cryptoCurrencyAmount).toBe('97.09000000');
  });

  it('waits until typing pauses, and asks for what stands there then', async () => {
    const { quotes } = quoteBackend();
    const { result, rerender } = ask(undefined);
    for (const typed of ['1', '12', '123']) {
      rerender({ query: amount(typed) });
      await pass(299);
      expect(result.current.status).toBe('loading');
    }
    expect(quotes()).toHaveLength(0);
    await pass(1);
    expect(quotes().map(({ query }) => query.currencyAmount)).toEqual(['123']);
  });

  it('does not wait when something is chosen', async () => {
    const { quotes } = quoteBackend(answersAll);
    const { rerender } = ask(question);
    await pass(0);
    rerender({ query: { ...question, payment: 'CARD_PAYMENT' } });
    await pass(0);
    expect(quotes()).toHaveLength(2);
  });

  it('aborts what it no longer needs as soon as somebody types on', async () => {
    const { quotes } = quoteBackend();
    const { rerender, unmount } = ask(question);
    await pass(0);
    expect(quotes()[0]?.aborted).toBe(false);
    rerender({ query: amount('1000') });
    expect(quotes()[0]?.aborted).toBe(true);
    await pass(300);
    unmount();
    expect(quotes().map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it('keeps the last quote as the previous one while a new one loads', async () => {
    const { quotes } = quoteBackend();
    const { result, rerender } = ask(question);
    await pass(0);
    quotes()[0]?.answer(quoteFor(question, '97.09'));
    await pass(0);
    rerender({ query: amount('200') });
    expect(result.current).toMatchObject({
      status: 'refreshing',
      isPrevious: true,
      quote: { currencyAmount: '100' },
      nextQuoteAt: undefined,
    });
    await pass(300);
    quotes()[1]?.answer(quoteFor(amount('200'), '194.18'));
    await pass(0);
    expect(result.current).toMatchObject({
      status: 'quote',
      isPrevious: false,
      quote: { cryptoCurrencyAmount: '194.18' },
    });
  });

  it('does not keep the quote of another currency', async () => {
    quoteBackend(({ query }) => (query.cryptoCurrencyCode === 'ETH' ? undefined : quoteFor(query)));
    const { result, rerender } = ask(question);
    await pass(0);
    rerender({ query: { ...question, cryptoCurrencyCode: 'ETH' } });
    await pass(0);
    expect(result.current).toMatchObject({ status: 'loading', quote: undefined });
  });

  it('asks again when the quote has stood for its time, and says when that is', async () => {
    const { quotes } = quoteBackend(answersAll);
    const { result } = ask(question, { refreshSeconds: 10 });
    await pass(0);
    expect(result.current.refreshSeconds).toBe(10);
    expect(Math.abs((result.current.nextQuoteAt ?? 0) - Date.now() / 1000 - 10)).toBeLessThan(1);
    await pass(9_900);
    expect(quotes()).toHaveLength(1);
    await pass(200);
    expect(quotes()).toHaveLength(2);
    await pass(10_000);
    expect(quotes()).toHaveLength(3);
  });

  it('never asks again with refreshSeconds 0', async () => {
    const { quotes } = quoteBackend(answersAll);
    const { result } = ask(question, { refreshSeconds: 0 });
    await pass(3_600_000);
    expect(quotes()).toHaveLength(1);
    expect(result.current).toMatchObject({ status: 'quote', nextQuoteAt: undefined });
  });

  it('does not ask while the page is hidden, and asks at once when it is back', async () => {
    const { quotes } = quoteBackend(answersAll);
    ask(question);
    await pass(0);
    act(() => focusManager.setFocused(false));
    await pass(300_000);
    expect(quotes()).toHaveLength(1);
    act(() => focusManager.setFocused(true));
    await pass(0);
    expect(quotes()).toHaveLength(2);
  });

  it('does not ask while offline, and asks at once when the connection is back', async () => {
    const { quotes } = quoteBackend(answersAll);
    const { result } = ask(question);
    await pass(0);
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(result.current).toMatchObject({ status: 'offline', quote: { currencyAmount: '100' } });
    await pass(300_000);
    expect(quotes()).toHaveLength(1);
    act(() => void window.dispatchEvent(new Event('online')));
    await pass(0);
    expect(quotes()).toHaveLength(2);
    expect(result.current.status).toBe('quote');
  });

  it('waits for the connection with its first question too', async () => {
    const { quotes } = quoteBackend(answersAll);
    onlineManager.setOnline(false);
    const { result } = ask(question);
    await pass(1_000);
    expect(result.current).toMatchObject({ status: 'offline', quote: undefined });
    expect(quotes()).toHaveLength(0);
    act(() => onlineManager.setOnline(true));
    await pass(0);
    expect(result.current.status).toBe('quote');
  });

  it('tells that the service is down, with the last that it said', async () => {
    quoteBackend(({ query }) => ({ ...quoteFor(query), ageSeconds: 90, stale: true }));
    const { result } = ask(question);
    await pass(0);
    expect(result.current).toMatchObject({ status: 'stale', error: undefined });
    expect(Math.abs(Date.now() / 1000 - 90 - (result.current.quotedAt ?? 0))).toBeLessThan(1);
  });

  it('keeps the quote as stale when asking again fails', async () => {
    const { quotes } = quoteBackend();
    const { result } = ask(question);
    await pass(0);
    quotes()[0]?.answer(quoteFor(question));
    await pass(30_000);
    quotes()[1]?.answer({ error: { code: 'ERR_TIMEOUT', message: 'Late.' } }, 504);
    await pass(0);
    expect(result.current).toMatchObject({
      status: 'stale',
      quote: { currencyAmount: '100' },
      error: { code: 'ERR_TIMEOUT', message: 'Late.' },
    });
    await pass(30_000);
    quotes()[2]?.answer(quoteFor(question));
    await pass(0);
    expect(result.current).toMatchObject({ status: 'quote', error: undefined });
  });

  it('says when the service has no price for it, at first and later', async () => {
    const { quotes } = quoteBackend();
    const { result } = ask(question);
    await pass(0);
    quotes()[0]?.answer(quoteFor(question));
    await pass(30_000);
    quotes()[1]?.answer({ error: { code: 'ERR_QUOTE_UNAVAILABLE', message: 'No.' } }, 422);
    await pass(0);
    expect(result.current).toMatchObject({ status: 'unavailable', quote: undefined });
  });

  it.each([
    ['ERR_API_RESPONSE', { error: { code: 'ERR_API_RESPONSE', message: 'No.' } }, 502],
    ['ERR_RESPONSE_INVALID', { message: 'a proxy' }, 500],
    ['ERR_RESPONSE_INVALID', { ...fresh }, 200],
    ['ERR_RESPONSE_INVALID', quoteFor(question, 'NaN'), 200],
    ['ERR_RESPONSE_INVALID', quoteFor(question, '1', { gasFee: 0.1 }), 200],
    ['ERR_RESPONSE_INVALID', quoteFor(question, '1', { cryptoCurrency: {} }), 200],
  ])('answers %s for %j, having asked once', async (code, body, status) => {
    const { quotes } = quoteBackend();
    const { result } = ask(question);
    await pass(0);
    quotes()[0]?.answer(body, status);
    await pass(5_000);
    expect(result.current).toMatchObject({ status: 'error', error: { name: 'RampError', code } });
    expect(quotes()).toHaveLength(1);
  });

  it('takes null for a fee that the backend leaves out', async () => {
    quoteBackend(({ query }) => quoteFor(query, '1', { gasFee: null, cryptoCurrency: null }));
    const { result } = ask(question);
    await pass(0);
    expect(result.current.status).toBe('quote');
  });

  it('gives a backend that cannot be reached a second go, then says so', async () => {
    const { quotes } = quoteBackend();
    const { result } = ask(question);
    await pass(0);
    quotes()[0]?.fail();
    await pass(1_000);
    expect(result.current.status).toBe('loading');
    quotes()[1]?.fail();
    await pass(5_000);
    expect(result.current).toMatchObject({ status: 'error', error: { code: 'ERR_NETWORK' } });
    expect(quotes()).toHaveLength(2);
    act(() => result.current.refetch());
    await pass(0);
    quotes()[2]?.answer(quoteFor(question));
    await pass(0);
    expect(result.current.status).toBe('quote');
  });

  it('says that an api is missing, and asks nobody', async () => {
    const { asked } = quoteBackend();
    const { result } = renderHook(() => useQuote(question));
    await pass(0);
    expect(result.current).toMatchObject({
      status: 'error',
      error: { code: 'ERR_CONFIG_INVALID' },
    });
    expect(asked).toHaveLength(0);
  });

  it('keeps to its ways in a page whose QueryClient has others', async () => {
    client = new QueryClient({
      defaultOptions: {
        queries: { retry: 9, throwOnError: true, refetchOnWindowFocus: false, enabled: false },
      },
    });
    const { quotes } = quoteBackend();
    const { result } = ask(question);
    await pass(0);
    quotes()[0]?.answer({ error: { code: 'ERR_TIMEOUT', message: 'Late.' } }, 504);
    await pass(10_000);
    expect(result.current.status).toBe('error');
    expect(quotes()).toHaveLength(1);
  });
});
