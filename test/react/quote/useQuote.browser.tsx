import { focusManager, onlineManager, QueryClient } from '@tanstack/react-query';
import { act } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { answersAll, quoteBackend, quoteFor } from '../../support/quote-backend.js';
import { amount, ask, pass, question, takeClient } from '../../support/use-quote.js';

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
        init: { credentials: 'include' },
      },
    ]);
    expect(Object.fromEntries(new Headers(asked[0]?.init.headers))).toEqual({ 'x-csrf': 't' });
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

  it('shows no earlier price of another kind, and none while offline', async () => {
    quoteBackend(({ query }) =>
      query.buyType || query.currencyAmount === '300' ? undefined : quoteFor(query),
    );
    const { result, rerender } = ask(question);
    await pass(0);
    rerender({ query: { ...question, buyType: 'nft' } });
    await pass(300);
    expect(result.current).toMatchObject({ status: 'loading', quote: undefined });
    rerender({ query: question });
    await pass(0);
    act(() => onlineManager.setOnline(false));
    rerender({ query: amount('300') });
    await pass(300);
    expect(result.current).toMatchObject({ status: 'offline', quote: undefined });
  });

  it.each([60 * 60 * 24 * 30, 1e20])(
    'asks no more than once a day with refreshSeconds %d',
    async (refreshSeconds) => {
      const { quotes } = quoteBackend(answersAll);
      ask(question, { refreshSeconds });
      await pass(3_600_000);
      expect(quotes()).toHaveLength(1);
    },
  );

  it.each([-5, Number.NaN])('never asks again with refreshSeconds %d', async (refreshSeconds) => {
    const { quotes } = quoteBackend(answersAll);
    ask(question, { refreshSeconds });
    await pass(3_600_000);
    expect(quotes()).toHaveLength(1);
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

  it('keeps to its ways in a page whose QueryClient has others', async () => {
    const queries = { retry: 9, throwOnError: true, refetchOnWindowFocus: false, enabled: false };
    takeClient(new QueryClient({ defaultOptions: { queries } }));
    const { quotes } = quoteBackend();
    const { result } = ask(question);
    await pass(0);
    quotes()[0]?.answer({ error: { code: 'ERR_TIMEOUT', message: 'Late.' } }, 504);
    await pass(10_000);
    expect(result.current.status).toBe('error');
    expect(quotes()).toHaveLength(1);
  });
});
