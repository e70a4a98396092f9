import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { useQuote } from '../../../../src/quotes.js';
import { createQuoteResponse, fresh, quoteBackend } from '../../../support/browser/quoteBackend.js';
import {
  advanceTime,
  PageWithoutBackend,
  renderUseQuote,
  sampleQuery,
  sampleSelection,
} from './renderUseQuote.js';

describe('useQuote after a failure', () => {
  it('returns stale with the last quote while the service is down', async () => {
    quoteBackend(({ query }) => ({ ...createQuoteResponse(query), ageSeconds: 90, stale: true }));
    const { result } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    expect(result.current).toMatchObject({ status: 'stale', error: undefined });
    expect(Math.abs(Date.now() / 1000 - 90 - (result.current.quotedAt ?? 0))).toBeLessThan(1);
  });

  it('keeps the quote as stale when a refetch fails', async () => {
    const { quotes } = quoteBackend();
    const { result } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    quotes()[0]?.respond(createQuoteResponse(sampleQuery));
    await advanceTime(30_000);
    quotes()[1]?.respond({ error: { code: 'ERR_TIMEOUT', message: 'Late.' } }, 504);
    await advanceTime(0);
    expect(result.current).toMatchObject({
      status: 'stale',
      data: { currencyAmount: '100' },
      error: { code: 'ERR_TIMEOUT', message: 'Late.' },
    });
    await advanceTime(30_000);
    quotes()[2]?.respond(createQuoteResponse(sampleQuery));
    await advanceTime(0);
    expect(result.current).toMatchObject({ status: 'success', error: undefined });
  });

  it('returns unavailable when the service has no price, at first and later', async () => {
    const { quotes } = quoteBackend();
    const { result } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    quotes()[0]?.respond(createQuoteResponse(sampleQuery));
    await advanceTime(30_000);
    quotes()[1]?.respond({ error: { code: 'ERR_QUOTE_UNAVAILABLE', message: 'No.' } }, 422);
    await advanceTime(0);
    expect(result.current).toMatchObject({ status: 'unavailable', data: undefined });
  });

  it.each([
    ['ERR_API_RESPONSE', { error: { code: 'ERR_API_RESPONSE', message: 'No.' } }, 502],
    ['ERR_RESPONSE_INVALID', { message: 'a proxy' }, 500],
    ['ERR_RESPONSE_INVALID', { ...fresh }, 200],
    ['ERR_RESPONSE_INVALID', createQuoteResponse(sampleQuery, 'NaN'), 200],
    ['ERR_RESPONSE_INVALID', createQuoteResponse(sampleQuery, '1', { gasFee: 0.1 }), 200],
    ['ERR_RESPONSE_INVALID', createQuoteResponse(sampleQuery, '1', { cryptoCurrency: {} }), 200],
  ])('returns %s for %j after one request', async (code, body, status) => {
    const { quotes } = quoteBackend();
    const { result } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    quotes()[0]?.respond(body, status);
    await advanceTime(5_000);
    expect(result.current).toMatchObject({ status: 'error', error: { name: 'RampError', code } });
    expect(quotes()).toHaveLength(1);
  });

  it('treats a missing age as zero', async () => {
    const { quotes } = quoteBackend();
    const { result } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    quotes()[0]?.respond({ quote: createQuoteResponse(sampleQuery).quote, stale: true });
    await advanceTime(0);
    expect(result.current.status).toBe('stale');
    expect(Number.isFinite(result.current.quotedAt)).toBe(true);
  });

  it('refuses a response to another query', async () => {
    quoteBackend(({ query }) => createQuoteResponse({ ...query, cryptoCurrencyCode: 'ETH' }));
    const { result } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    expect(result.current).toMatchObject({
      status: 'error',
      error: { code: 'ERR_RESPONSE_INVALID' },
    });
  });

  it('returns ERR_TIMEOUT when the backend does not respond', async () => {
    const { quotes } = quoteBackend();
    const { result } = renderUseQuote(sampleSelection);
    await advanceTime(14_900);
    expect(result.current).toMatchObject({ status: 'loading' });
    await advanceTime(200);
    expect(quotes()[0]?.aborted).toBe(true);
    expect(result.current).toMatchObject({ status: 'error', error: { code: 'ERR_TIMEOUT' } });
  });

  it('keeps its status and error during a retry', async () => {
    const { quotes } = quoteBackend();
    const { result } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    quotes()[0]?.respond({ error: { code: 'ERR_QUOTE_UNAVAILABLE', message: 'No.' } }, 422);
    await advanceTime(0);
    await advanceTime(30_000);
    expect(quotes()).toHaveLength(2);
    expect(result.current.status).toBe('unavailable');
    quotes()[1]?.respond(createQuoteResponse(sampleQuery));
    await advanceTime(0);
    expect(result.current.status).toBe('success');
  });

  it('accepts null for a missing fee', async () => {
    quoteBackend(({ query }) =>
      createQuoteResponse(query, '1', { gasFee: null, cryptoCurrency: null }),
    );
    const { result } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    expect(result.current.status).toBe('success');
  });

  it('retries an unreachable backend once, then returns ERR_NETWORK', async () => {
    const { quotes } = quoteBackend();
    const { result } = renderUseQuote(sampleSelection);
    await advanceTime(0);
    quotes()[0]?.fail();
    await advanceTime(1_000);
    expect(result.current.status).toBe('loading');
    quotes()[1]?.fail();
    await advanceTime(5_000);
    expect(result.current).toMatchObject({ status: 'error', error: { code: 'ERR_NETWORK' } });
    expect(quotes()).toHaveLength(2);
    act(() => result.current.retry());
    await advanceTime(0);
    quotes()[2]?.respond(createQuoteResponse(sampleQuery));
    await advanceTime(0);
    expect(result.current.status).toBe('success');
  });

  it('returns an error without an api, and sends no request', async () => {
    const { requests } = quoteBackend();
    const { result } = renderHook(() => useQuote(sampleSelection), { wrapper: PageWithoutBackend });
    await advanceTime(0);
    expect(result.current).toMatchObject({
      status: 'error',
      error: { code: 'ERR_CONFIG_INVALID' },
    });
    expect(requests).toHaveLength(0);
  });
});
