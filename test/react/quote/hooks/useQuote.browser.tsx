import { focusManager, onlineManager, QueryClient } from '@tanstack/react-query';
import { act } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import {
  createQuoteResponse,
  quoteBackend,
  respondToAll,
} from '../../../support/browser/quoteBackend.js';
import {
  advanceTime,
  renderUseQuote,
  sampleQuery,
  sampleSelection,
  setQueryClient,
  withAmount,
} from './renderUseQuote.js';

describe('useQuote', () => {
  it.each([
    ['a selection', undefined],
    ['an amount', withAmount('')],
  ])('sends no request without %s', async (_, selection) => {
    const { requests } = quoteBackend();
    const { result } = renderUseQuote(selection);
    await advanceTime(60_000);
    expect(result.current).toMatchObject({ status: 'idle', data: undefined, error: undefined });
    act(() => result.current.retry());
    await advanceTime(0);
    expect(requests).toHaveLength(0);
  });

  it('requests the route with the given parameters, and omits the others', async () => {
    const { requests } = quoteBackend(respondToAll);
    const headers = { 'X-Csrf': 't' };
    const { result } = renderUseQuote(
      { ...sampleSelection, payment: 'CARD_PAYMENT' },
      { headers, credentials: 'include' },
    );
    expect(result.current.status).toBe('loading');
    await advanceTime(0);
    expect(requests).toMatchObject([
      {
        route: '/quote',
        query: { ...sampleQuery, payment: 'CARD_PAYMENT' },
        init: { credentials: 'include' },
      },
    ]);
    expect(Object.fromEntries(new Headers(requests[0]?.init.headers))).toEqual({ 'x-csrf': 't' });
    expect(result.current).toMatchObject({ status: 'success', isPrevious: false });
    expect(result.current.data?.cryptoCurrencyAmount).toBe('97.09000000');
  });

  it('waits until typing pauses, and requests the last amount', async () => {
    const { quotes } = quoteBackend();
    const { result, rerender } = renderUseQuote(undefined);
    for (const typed of ['1', '12', '123']) {
      rerender({ selection: withAmount(typed) });
      await advanceTime(299);
      expect(result.current.status).toBe('loading');
    }
    expect(quotes()).toHaveLength(0);
    await advanceTime(1);
    expect(quotes().map(({ query }) => query.currencyAmount)).toEqual(['123']);
  });

  it('does not wait after a selection', async () => {
    const { quotes } = quoteBackend(respondToAll);
    const { rerender } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    rerender({ selection: { ...sampleSelection, payment: 'CARD_PAYMENT' } });
    await advanceTime(0);
    expect(quotes()).toHaveLength(2);
  });

  it('aborts a pending request as soon as typing continues', async () => {
    const { quotes } = quoteBackend();
    const { rerender, unmount } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    expect(quotes()[0]?.aborted).toBe(false);
    rerender({ selection: withAmount('1000') });
    expect(quotes()[0]?.aborted).toBe(true);
    await advanceTime(300);
    unmount();
    expect(quotes().map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it('keeps the last quote as the previous one while a new one loads', async () => {
    const { quotes } = quoteBackend();
    const { result, rerender } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    quotes()[0]?.respond(createQuoteResponse(sampleQuery, '97.09'));
    await advanceTime(0);
    rerender({ selection: withAmount('200') });
    expect(result.current).toMatchObject({
      status: 'refreshing',
      isPrevious: true,
      data: { currencyAmount: '100' },
      nextQuoteAt: undefined,
    });
    await advanceTime(300);
    quotes()[1]?.respond(createQuoteResponse({ ...sampleQuery, currencyAmount: '200' }, '194.18'));
    await advanceTime(0);
    expect(result.current).toMatchObject({
      status: 'success',
      isPrevious: false,
      data: { cryptoCurrencyAmount: '194.18' },
    });
  });

  it('does not keep the quote of another currency', async () => {
    quoteBackend(({ query }) =>
      query.cryptoCurrencyCode === 'ETH' ? undefined : createQuoteResponse(query),
    );
    const { result, rerender } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    rerender({ selection: { ...sampleSelection, cryptoCurrencyCode: 'ETH' } });
    await advanceTime(0);
    expect(result.current).toMatchObject({ status: 'loading', data: undefined });
  });

  it('refetches after the refresh interval, and returns the time of the refetch', async () => {
    const { quotes } = quoteBackend(respondToAll);
    const { result } = renderUseQuote(sampleSelection, { refreshSeconds: 10 });
    await advanceTime(0);
    expect(result.current.refreshSeconds).toBe(10);
    expect(Math.abs((result.current.nextQuoteAt ?? 0) - Date.now() / 1000 - 10)).toBeLessThan(1);
    await advanceTime(9_900);
    expect(quotes()).toHaveLength(1);
    await advanceTime(200);
    expect(quotes()).toHaveLength(2);
    await advanceTime(10_000);
    expect(quotes()).toHaveLength(3);
  });

  it('refreshes the price of a typed amount in time after the clock was set back', async () => {
    const backend = quoteBackend(({ query }) => createQuoteResponse(query));
    const { rerender } = renderUseQuote(withAmount('100'), { refreshSeconds: 10 });
    await advanceTime(0);
    rerender({ selection: withAmount('200') });
    await advanceTime(300);
    await advanceTime(0);
    const sent = backend.quotes().length;
    vi.setSystemTime(Date.now() - 3_600_000);
    await advanceTime(20_000);
    expect(backend.quotes().length).toBeGreaterThan(sent);
  });

  it('refuses a price of an NFT for another amount than requested, as if it were fiat', async () => {
    quoteBackend(({ query }) => createQuoteResponse(query, '0.0000156'));
    const { result, rerender } = renderUseQuote(withAmount('0.05'), { buyType: 'nft' });
    await advanceTime(0);
    expect(result.current).toMatchObject({ status: 'error', data: undefined });
    expect(result.current.error?.code).toBe('ERR_RESPONSE_INVALID');
    rerender({ selection: withAmount('0.00001560'), buyType: 'nft' });
    await advanceTime(300);
    await vi.waitFor(() =>
      expect(result.current).toMatchObject({ status: 'success', error: undefined }),
    );
  });

  it('shows no earlier price of another kind, and none while offline', async () => {
    quoteBackend(({ query }) =>
      query.buyType || query.currencyAmount === '300' ? undefined : createQuoteResponse(query),
    );
    const { result, rerender } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    rerender({ selection: sampleSelection, buyType: 'nft' });
    await advanceTime(300);
    expect(result.current).toMatchObject({ status: 'loading', data: undefined });
    rerender({ selection: sampleSelection });
    await advanceTime(0);
    act(() => onlineManager.setOnline(false));
    rerender({ selection: withAmount('300') });
    await advanceTime(300);
    expect(result.current).toMatchObject({ status: 'offline', data: undefined });
  });

  it.each([60 * 60 * 24 * 30, 1e20])(
    'refetches once a day at most with refreshSeconds %d',
    async (refreshSeconds) => {
      const { quotes } = quoteBackend(respondToAll);
      renderUseQuote(sampleSelection, { refreshSeconds });
      await advanceTime(3_600_000);
      expect(quotes()).toHaveLength(1);
    },
  );

  it.each([-5, Number.NaN])('never refetches with refreshSeconds %d', async (refreshSeconds) => {
    const { quotes } = quoteBackend(respondToAll);
    renderUseQuote(sampleSelection, { refreshSeconds });
    await advanceTime(3_600_000);
    expect(quotes()).toHaveLength(1);
  });

  it('never refetches with refreshSeconds 0', async () => {
    const { quotes } = quoteBackend(respondToAll);
    const { result } = renderUseQuote(sampleSelection, { refreshSeconds: 0 });
    await advanceTime(3_600_000);
    expect(quotes()).toHaveLength(1);
    expect(result.current).toMatchObject({ status: 'success', nextQuoteAt: undefined });
  });

  it('pauses while the page is hidden, and refetches when it is visible again', async () => {
    const { quotes } = quoteBackend(respondToAll);
    renderUseQuote(sampleSelection);
    await advanceTime(0);
    act(() => focusManager.setFocused(false));
    await advanceTime(300_000);
    expect(quotes()).toHaveLength(1);
    act(() => focusManager.setFocused(true));
    await advanceTime(0);
    expect(quotes()).toHaveLength(2);
  });

  it('pauses while offline, and refetches as soon as the connection is back', async () => {
    const { quotes } = quoteBackend(respondToAll);
    const { result } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(result.current).toMatchObject({ status: 'offline', data: { currencyAmount: '100' } });
    await advanceTime(300_000);
    expect(quotes()).toHaveLength(1);
    act(() => void window.dispatchEvent(new Event('online')));
    await advanceTime(0);
    expect(quotes()).toHaveLength(2);
    expect(result.current.status).toBe('success');
  });

  it('waits for the connection before its first request', async () => {
    const { quotes } = quoteBackend(respondToAll);
    onlineManager.setOnline(false);
    const { result } = renderUseQuote(sampleSelection);
    await advanceTime(1_000);
    expect(result.current).toMatchObject({ status: 'offline', data: undefined });
    expect(quotes()).toHaveLength(0);
    act(() => onlineManager.setOnline(true));
    await advanceTime(0);
    expect(result.current.status).toBe('success');
  });

  it("does not use the defaults of the page's QueryClient", async () => {
    const queries = { retry: 9, throwOnError: true, refetchOnWindowFocus: false, enabled: false };
    setQueryClient(new QueryClient({ defaultOptions: { queries } }));
    const { quotes } = quoteBackend();
    const { result } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    quotes()[0]?.respond({ error: { code: 'ERR_TIMEOUT', message: 'Late.' } }, 504);
    await advanceTime(10_000);
    expect(result.current.status).toBe('error');
    expect(quotes()).toHaveLength(1);
  });
});
