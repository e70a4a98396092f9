import { onlineManager } from '@tanstack/react-query';
import { act } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { quoteQueryOptions } from '../../../../src/quotes.js';
import {
  createQuoteResponse,
  quoteBackend,
  respondToAll,
} from '../../../support/browser/quoteBackend.js';
import {
  advanceTime,
  getQueryClient,
  renderUseQuote,
  sampleQuery,
  sampleSelection,
  withAmount,
} from './renderUseQuote.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Fills the cache as `persistQueryClient` does from the storage of an earlier visit. */
const restorePrice = (age: number, ageSeconds = 0) => {
  const { queryKey } = quoteQueryOptions(sampleSelection, { api: '/api/ramp' });
  const response = { ...createQuoteResponse(sampleQuery, '1'), ageSeconds };
  getQueryClient().setQueryData(queryKey, response, { updatedAt: Date.now() - age });
};
const fail = { error: { code: 'ERR_TIMEOUT', message: 'Late.' } };

describe('useQuote with a price from a persisted cache', () => {
  it('shows none that is hours old, while it fetches the next', async () => {
    const { quotes } = quoteBackend();
    restorePrice(20 * HOUR);
    const { result } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    expect(result.current).toMatchObject({ status: 'loading', data: undefined, isPrevious: false });
    quotes()[0]?.respond(createQuoteResponse(sampleQuery, '2'));
    await advanceTime(0);
    expect(result.current).toMatchObject({
      status: 'success',
      data: { cryptoCurrencyAmount: '2' },
    });
  });

  it('shows one that should have been replaced in the last five minutes, as refreshing', async () => {
    quoteBackend();
    restorePrice(5 * MINUTE);
    const { result } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    expect(result.current).toMatchObject({
      status: 'refreshing',
      data: { cryptoCurrencyAmount: '1' },
    });
  });

  it('counts the age that the price had when the handler sent it', async () => {
    quoteBackend();
    restorePrice(5 * MINUTE, 60);
    const { result } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    expect(result.current).toMatchObject({ status: 'loading', data: undefined });
  });

  it('shows none that is hours old when the next one fails, or without a connection', async () => {
    const { quotes } = quoteBackend();
    restorePrice(20 * HOUR);
    const { result } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    quotes()[0]?.respond(fail, 504);
    await advanceTime(0);
    expect(result.current).toMatchObject({ status: 'error', data: undefined });
    act(() => onlineManager.setOnline(false));
    expect(result.current).toMatchObject({ status: 'offline', data: undefined });
  });

  it('does not show it as the previous price of another amount', async () => {
    quoteBackend();
    restorePrice(20 * HOUR);
    const { result, rerender } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    rerender({ selection: withAmount('200') });
    expect(result.current).toMatchObject({ status: 'loading', data: undefined });
  });

  it('requests it again with refreshSeconds 0', async () => {
    const { quotes } = quoteBackend();
    restorePrice(20 * HOUR);
    const { result } = renderUseQuote(sampleSelection, { refreshSeconds: 0 });
    await advanceTime(0);
    expect(result.current).toMatchObject({ status: 'loading', data: undefined });
    quotes()[0]?.respond(createQuoteResponse(sampleQuery, '2'));
    await advanceTime(HOUR);
    expect(result.current).toMatchObject({ status: 'success' });
    expect(quotes()).toHaveLength(1);
  });
});

describe('useQuote on a page that is open for long', () => {
  it('shows the last price for five minutes while the connection is lost', async () => {
    quoteBackend(respondToAll);
    const { result } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    act(() => onlineManager.setOnline(false));
    await advanceTime(5 * MINUTE);
    expect(result.current).toMatchObject({ status: 'offline', data: { currencyAmount: '100' } });
    await advanceTime(MINUTE);
    expect(result.current).toMatchObject({ status: 'offline', data: undefined });
  });

  it('shows the last price for five minutes while refreshes fail', async () => {
    let isDown = false;
    quoteBackend(({ query, respond }) =>
      isDown ? void respond(fail, 504) : createQuoteResponse(query),
    );
    const { result } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    isDown = true;
    await advanceTime(5 * MINUTE);
    expect(result.current).toMatchObject({ status: 'stale', data: { currencyAmount: '100' } });
    await advanceTime(MINUTE);
    expect(result.current).toMatchObject({ status: 'error', data: undefined });
  });
});
