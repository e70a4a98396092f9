import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { useQuote } from '../../../src/index.js';
import { fresh, quoteBackend, quoteFor } from '../../support/quote-backend.js';
import { ask, pass, question } from '../../support/use-quote.js';

describe('useQuote, when things go wrong', () => {
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

  it('takes the age of an answer that says none for nothing', async () => {
    const { quotes } = quoteBackend();
    const { result } = ask(question);
    await pass(0);
    quotes()[0]?.answer({ quote: quoteFor(question).quote, stale: true });
    await pass(0);
    expect(result.current.status).toBe('stale');
    expect(Number.isFinite(result.current.quotedAt)).toBe(true);
  });

  it('refuses an answer to another question', async () => {
    quoteBackend(({ query }) => quoteFor({ ...query, cryptoCurrencyCode: 'ETH' }));
    const { result } = ask(question);
    await pass(0);
    expect(result.current).toMatchObject({
      status: 'error',
      error: { code: 'ERR_RESPONSE_INVALID' },
    });
  });

  it('gives an answer up that does not come, and says so', async () => {
    const { quotes } = quoteBackend();
    const { result } = ask(question);
    await pass(15_100);
    expect(result.current).toMatchObject({ status: 'loading' });
    quotes()[0]?.fail();
    await pass(0);
    expect(quotes()[0]?.aborted).toBe(true);
    expect(result.current).toMatchObject({ status: 'error', error: { code: 'ERR_TIMEOUT' } });
  });

  it('stays what it was while it asks again after an error', async () => {
    const { quotes } = quoteBackend();
    const { result } = ask(question);
    await pass(0);
    quotes()[0]?.answer({ error: { code: 'ERR_QUOTE_UNAVAILABLE', message: 'No.' } }, 422);
    await pass(0);
    await pass(30_000);
    expect(quotes()).toHaveLength(2);
    expect(result.current.status).toBe('unavailable');
    quotes()[1]?.answer(quoteFor(question));
    await pass(0);
    expect(result.current.status).toBe('quote');
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
});
