import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  countRequests,
  createTestApi,
  destroyConnection,
  envelope,
  expectRampError,
  quoteData,
  quoteQuery,
  respondWithBody,
  respondWithData,
  setUpUpstream,
} from '../../support/server/startUpstream.js';

const upstream = setUpUpstream();

describe('a service that is down', () => {
  it('is left alone after five failures in a row, and asked again later', async () => {
    const api = createTestApi(upstream, { maxTries: 1 }, { breakMs: 150 });
    upstream.respondWith(destroyConnection);
    const failed = () => api.quote(quoteQuery).catch((reason) => reason.message);
    for (let i = 0; i < 5; i++) expect(await failed()).toContain('cannot be reached');
    expect(await countRequests(upstream, failed)).toBe(0);
    expect(await failed()).toContain('5 times in a row');
    upstream.respondWith(respondWithData(quoteData));
    await expect.poll(() => api.quote(quoteQuery).catch(() => undefined)).toBeDefined();
  });

  it('is left alone by the operation that fails, and no other', async () => {
    const api = createTestApi(upstream, { maxTries: 1 });
    upstream.respondWith((request, response) =>
      (request.url?.includes('price') ? destroyConnection : respondWithData('[]'))(
        request,
        response,
      ),
    );
    for (let i = 0; i < 6; i++) await api.quote(quoteQuery).catch(() => {});
    await expect(api.quote(quoteQuery)).rejects.toThrow('5 times in a row');
    expect(await api.fiatCurrencies()).toEqual([]);
  });

  it('is not down when it answers in between, be it a refusal', async () => {
    const api = createTestApi(upstream, { maxTries: 1 });
    const ask = () => api.quote(quoteQuery).catch((reason) => reason.message);
    for (let round = 0; round < 3; round++) {
      upstream.respondWith(destroyConnection);
      for (let i = 0; i < 4; i++) expect(await ask()).toContain('cannot be reached');
      upstream.respondWith(respondWithBody('{"code":10002,"msg":"incorrect params","data":null}'));
      expect(await ask()).toContain('10002');
    }
  });

  it('is asked by one alone once it may be up again', async () => {
    const api = createTestApi(upstream, { maxTries: 1 }, { breakMs: 30 });
    upstream.respondWith(destroyConnection);
    for (let i = 0; i < 5; i++) await api.quote(quoteQuery).catch(() => {});
    await new Promise((done) => setTimeout(done, 40));
    const crowd = () => Promise.allSettled(Array.from({ length: 10 }, () => api.quote(quoteQuery)));
    expect(await countRequests(upstream, crowd)).toBe(1);
  });

  it('is not what refuses a question: refusals never open the breaker', async () => {
    const api = createTestApi(upstream);
    upstream.respondWith(respondWithBody('{"code":10002,"msg":"incorrect params","data":null}'));
    for (let i = 0; i < 12; i++)
      await expect(api.quote(quoteQuery)).rejects.toMatchObject({ apiCode: '10002' });
  });
});

describe('one request that the service cannot handle', () => {
  it.each([
    ['as JSON', '{"code":50000,"msg":"internal error","data":null}'],
    ['as HTML', '<h1>Internal Server Error</h1>'],
  ])('never opens the circuit breaker for the others: status 500 %s', async (_, text) => {
    const api = createTestApi(upstream, { maxTries: 1 });
    upstream.respondWith(respondWithBody(text, 500));
    for (let i = 0; i < 12; i++) await api.quote(quoteQuery).catch(() => {});
    upstream.respondWith(respondWithData(quoteData));
    expect(await api.quote(quoteQuery)).toMatchObject({ fiatCurrency: 'USD' });
  });

  it.each([429, 502, 503, 504])('opens it when it is overload: status %i', async (status) => {
    const api = createTestApi(upstream, { maxTries: 1 });
    upstream.respondWith(respondWithBody('<html>', status));
    for (let i = 0; i < 5; i++) await api.quote(quoteQuery).catch(() => {});
    await expect(api.quote(quoteQuery)).rejects.toThrow('5 times in a row');
  });
});

describe('many requests at once', () => {
  it.each([
    [4, 'as maxConcurrent says', 4],
    [32, 'at most eight for prices', 8],
  ])('reach the service few at a time, and all are answered: %i, %s', async (given, _, most) => {
    const held: ServerResponse[] = [];
    const underWay: number[] = [];
    upstream.respondWith((_, response) => {
      held.push(response);
      if (held.length !== most) return;
      // Whoever else is let through would have come by then.
      setTimeout(() => {
        underWay.push(held.length);
        for (const waiting of held.splice(0)) waiting.end(envelope);
      }, 10);
    });
    const api = createTestApi(upstream, { timeoutMs: 30_000 }, { maxConcurrent: given });
    const calls = Array.from({ length: 10 * most }, () => api.quote(quoteQuery));
    expect(await Promise.all(calls)).toHaveLength(10 * most);
    expect(underWay).toEqual(Array(10).fill(most));
  });

  it('are refused at once, and in words, where too many wait', async () => {
    upstream.respondWith(() => {});
    const api = createTestApi(upstream, {}, { maxConcurrent: 1 });
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = Array.from({ length: 1001 }, () => api.quote(quoteQuery, { signal }));
    const all = Promise.allSettled(waiting);
    await expect(api.quote(quoteQuery)).rejects.toThrow(
      expectRampError('ERR_NETWORK', 'waiting already'),
    );
    controller.abort();
    await all;
  });

  it('wait for a place no longer than a try may take', async () => {
    upstream.respondWith((_, response) => void setTimeout(() => response.end(envelope), 60));
    const api = createTestApi(upstream, { timeoutMs: 100, maxTries: 1 }, { maxConcurrent: 1 });
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => api.quote(quoteQuery)));
    expect(all.at(-1)).toMatchObject({
      reason: expectRampError('ERR_TIMEOUT', 'could start within 100 ms'),
    });
  });

  it('for prices never delay the order list', async () => {
    upstream.respondWith((request, response) => {
      if (!request.url?.includes('/order')) return;
      respondWithBody(
        '{"code":10000,"msg":"success","data":{"page":1,"size":20,"totalCount":0,"list":[]}}',
      )(request, response);
    });
    const api = createTestApi(upstream);
    const controller = new AbortController();
    const { signal } = controller;
    const crowd = Promise.allSettled(
      Array.from({ length: 1032 }, () => api.quote(quoteQuery, { signal })),
    );
    // Nothing of the crowd has been served when this returns.
    expect(await api.orders({ startTime: 0, endTime: 1 })).toMatchObject({ totalCount: 0 });
    controller.abort();
    await crowd;
  });
});

describe('calls that were given up', () => {
  it('leave no place taken, neither running nor waiting', async () => {
    upstream.respondWith(() => {});
    const api = createTestApi(upstream, {}, { maxConcurrent: 2 });
    const controller = new AbortController();
    const { signal } = controller;
    const calls = Array.from({ length: 1002 }, () => api.quote(quoteQuery, { signal }));
    const all = Promise.allSettled(calls);
    controller.abort();
    await all;
    upstream.respondWith(respondWithData(quoteData));
    expect(await api.quote(quoteQuery)).toMatchObject({ fiatCurrency: 'USD' });
  });

  it('are not warned of, however many share a signal', async () => {
    const warnings: string[] = [];
    const hear = ({ name }: Error) => warnings.push(name);
    process.on('warning', hear);
    onTestFinished(() => void process.off('warning', hear));
    upstream.respondWith(respondWithData(quoteData));
    const { signal } = new AbortController();
    const api = createTestApi(upstream, {}, { maxConcurrent: 2 });
    await Promise.all(Array.from({ length: 40 }, () => api.quote(quoteQuery, { signal })));
    await new Promise((done) => setImmediate(done));
    expect(warnings).toEqual([]);
  });
});
