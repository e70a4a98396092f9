import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { useQuote } from '../../../../src/index.js';
import { createQuoteResponse, fresh, quoteBackend } from '../../../support/browser/quoteBackend.js';
import {
  advanceTime,
  renderUseQuote,
  sampleQuery,
} from '../../../support/browser/renderUseQuote.js';

describe('useQuote, when things go wrong', () => {
  it('tells that the service is down, with the last that it said', async () => {
    quoteBackend(({ query }) => ({ ...createQuoteResponse(query), ageSeconds: 90, stale: true }));
    const { result } = renderUseQuote(sampleQuery);
    await advanceTime(0);
    expect(result.current).toMatchObject({ status: 'stale', error: undefined });
    expect(Math.abs(Date.now() / 1000 - 90 - (result.current.quotedAt ?? 0))).toBeLessThan(1);
  });

  it('keeps the quote as stale when asking again fails', async () => {
    const { quotes } = quoteBackend();
    const { result } = renderUseQuote(sampleQuery);
    await advanceTime(0);
    quotes()[0]?.respond(createQuoteResponse(sampleQuery));
    await advanceTime(30_000);
    quotes()[1]?.respond({ error: { code: 'ERR_TIMEOUT', message: 'Late.' } }, 504);
    await advanceTime(0);
    expect(result.current).toMatchObject({
      status: 'stale',
      quote: { currencyAmount: '100' },
      error: { code: 'ERR_TIMEOUT', message: 'Late.' },
    });
    await advanceTime(30_000);
    quotes()[2]?.respond(createQuoteResponse(sampleQuery));
    await advanceTime(0);
    expect(result.current).toMatchObject({ status: 'quote', error: undefined });
  });

  it('says when the service has no price for it, at first and later', async () => {
    const { quotes } = quoteBackend();
    const { result } = renderUseQuote(sampleQuery);
    await advanceTime(0);
    quotes()[0]?.respond(createQuoteResponse(sampleQuery));
    await advanceTime(30_000);
    quotes()[1]?.respond({ error: { code: 'ERR_QUOTE_UNAVAILABLE', message: 'No.' } }, 422);
    await advanceTime(0);
    expect(result.current).toMatchObject({ status: 'unavailable', quote: undefined });
  });

  it.each([
    ['ERR_API_RESPONSE', { error: { code: 'ERR_API_RESPONSE', message: 'No.' } }, 502],
    ['ERR_RESPONSE_INVALID', { message: 'a proxy' }, 500],
    ['ERR_RESPONSE_INVALID', { ...fresh }, 200],
    ['ERR_RESPONSE_INVALID', createQuoteResponse(sampleQuery, 'NaN'), 200],
    ['ERR_RESPONSE_INVALID', createQuoteResponse(sampleQuery, '1', { gasFee: 0.1 }), 200],
    ['ERR_RESPONSE_INVALID', createQuoteResponse(sampleQuery, '1', { cryptoCurrency: {} }), 200],
  ])('answers %s for %j, having asked once', async (code, body, status) => {
    const { quotes } = quoteBackend();
    const { result } = renderUseQuote(sampleQuery);
    await advanceTime(0);
    quotes()[0]?.respond(body, status);
    await advanceTime(5_000);
    expect(result.current).toMatchObject({ status: 'error', error: { name: 'RampError', code } });
    expect(quotes()).toHaveLength(1);
  });

  it('takes the age of an answer that says none for nothing', async () => {
    const { quotes } = quoteBackend();
    const { result } = renderUseQuote(sampleQuery);
    await advanceTime(0);
    quotes()[0]?.respond({ quote: createQuoteResponse(sampleQuery).quote, stale: true });
    await advanceTime(0);
    expect(result.current.status).toBe('stale');
    expect(Number.isFinite(result.current.quotedAt)).toBe(true);
  });

  it('refuses an answer to another question', async () => {
    quoteBackend(({ query }) => createQuoteResponse({ ...query, cryptoCurrencyCode: 'ETH' }));
    const { result } = renderUseQuote(sampleQuery);
    await advanceTime(0);
    expect(result.current).toMatchObject({
      status: 'error',
      error: { code: 'ERR_RESPONSE_INVALID' },
    });
  });

  it('gives an answer up that does not come, and says so', async () => {
    const { quotes } = quoteBackend();
    const { result } = renderUseQuote(sampleQuery);
    await advanceTime(15_100);
    expect(result.current).toMatchObject({ status: 'loading' });
    quotes()[0]?.fail();
    await advanceTime(0);
    expect(quotes()[0]?.aborted).toBe(true);
    expect(result.current).toMatchObject({ status: 'error', error: { code: 'ERR_TIMEOUT' } });
  });

  it('stays what it was while it asks again after an error', async () => {
    const { quotes } = quoteBackend();
    const { result } = renderUseQuote(sampleQuery);
    await advanceTime(0);
    quotes()[0]?.respond({ error: { code: 'ERR_QUOTE_UNAVAILABLE', message: 'No.' } }, 422);
    await advanceTime(0);
    await advanceTime(30_000);
    expect(quotes()).toHaveLength(2);
    expect(result.current.status).toBe('unavailable');
    quotes()[1]?.respond(createQuoteResponse(sampleQuery));
    await advanceTime(0);
    expect(result.current.status).toBe('quote');
  });

  it('takes null for a fee that the backend leaves out', async () => {
    quoteBackend(({ query }) =>
      createQuoteResponse(query, '1', { gasFee: null, cryptoCurrency: null }),
    );
    const { result } = renderUseQuote(sampleQuery);
    await advanceTime(0);
    expect(result.current.status).toBe('quote');
  });

  it('gives a backend that cannot be reached a second go, then says so', async () => {
    const { quotes } = quoteBackend();
    const { result } = renderUseQuote(sampleQuery);
    await advanceTime(0);
    quotes()[0]?.fail();
    await advanceTime(1_000);
    expect(result.current.status).toBe('loading');
    quotes()[1]?.fail();
    await advanceTime(5_000);
    expect(result.current).toMatchObject({ status: 'error', error: { code: 'ERR_NETWORK' } });
    expect(quotes()).toHaveLength(2);
    act(() => result.current.refetch());
    await advanceTime(0);
    quotes()[2]?.respond(createQuoteResponse(sampleQuery));
    await advanceTime(0);
    expect(result.current.status).toBe('quote');
  });

  it('says that an api is missing, and asks nobody', async () => {
    const { asked } = quoteBackend();
    const { result } = renderHook(() => useQuote(sampleQuery));
    await advanceTime(0);
    expect(result.current).toMatchObject({
      status: 'error',
      error: { code: 'ERR_CONFIG_INVALID' },
    });
    expect(asked).toHaveLength(0);
  });
});
