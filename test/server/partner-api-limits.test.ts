import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  apiOf,
  body,
  envelope,
  error,
  hangUp,
  quoteData,
  quoteQuery,
  sharedUpstream,
  success,
  triesOf,
} from '../support/upstream.js';

const upstream = sharedUpstream();

describe('a service that is down', () => {
  it('is left alone after five failures in a row, and asked again later', async () => {
    const api = apiOf(upstream, { breakMs: 150, maxTries: 1 });
    upstream.answerWith(hangUp);
    const failed = () => api.quote(quoteQuery).catch((reason) => reason.message);
    for (let i = 0; i < 5; i++) expect(await failed()).toContain('cannot be reached');
    expect(await triesOf(upstream, failed)).toBe(0);
    expect(await failed()).toContain('5 times in a row');
    upstream.answerWith(success(quoteData));
    await expect.poll(() => api.quote(quoteQuery).catch(() => undefined)).toBeDefined();
  });

  it('is left alone by the operation that fails, and no other', async () => {
    const api = apiOf(upstream, { maxTries: 1 });
    upstream.answerWith((request, response) =>
      (request.url?.includes('price') ? hangUp : success('[]'))(request, response),
    );
    for (let i = 0; i < 6; i++) await api.quote(quoteQuery).catch(() => {});
    await expect(api.quote(quoteQuery)).rejects.toThrow('5 times in a row');
    expect(await api.fiatCurrencies()).toEqual([]);
  });

  it('is not down when it answers in between, be it a refusal', async () => {
    const api = apiOf(upstream, { maxTries: 1 });
    const ask = () => api.quote(quoteQuery).catch((reason) => reason.message);
    for (let round = 0; round < 3; round++) {
      upstream.answerWith(hangUp);
      for (let i = 0; i < 4; i++) expect(await ask()).toContain('cannot be reached');
      upstream.answerWith(body('{"code":10002,"msg":"incorrect params","data":null}'));
      expect(await ask()).toContain('10002');
    }
  });

  it('is asked by one alone once it may be up again', async () => {
    const api = apiOf(upstream, { breakMs: 30, maxTries: 1 });
    upstream.answerWith(hangUp);
    for (let i = 0; i < 5; i++) await api.quote(quoteQuery).catch(() => {});
    await new Promise((done) => setTimeout(done, 40));
    const crowd = () => Promise.allSettled(Array.from({ length: 10 }, () => api.quote(quoteQuery)));
    expect(await triesOf(upstream, crowd)).toBe(1);
  });

  it('is not what refuses a question: refusals never open the breaker', async () => {
    const api = apiOf(upstream);
    upstream.answerWith(body('{"code":10002,"msg":"incorrect params","data":null}'));
    for (let i = 0; i < 12; i++)
      await expect(api.quote(quoteQuery)).rejects.toMatchObject({ apiCode: '10002' });
  });
});

describe('many requests at once', () => {
  it('reach the service few at a time, and all are answered', async () => {
    const held: ServerResponse[] = [];
    const underWay: number[] = [];
    upstream.answerWith((_, response) => {
      held.push(response);
      if (held.length !== 8) return;
      // Whoever else is let through would have come by then.
      setTimeout(() => {
        underWay.push(held.length);
        for (const waiting of held.splice(0)) waiting.end(envelope);
      }, 10);
    });
    const api = apiOf(upstream, { maxConcurrent: 8, timeoutMs: 30_000 });
    const quotes = await Promise.all(Array.from({ length: 80 }, () => api.quote(quoteQuery)));
    expect(quotes).toHaveLength(80);
    expect(underWay).toEqual(Array(10).fill(8));
  });

  it('are refused in words where too many wait', async () => {
    upstream.answerWith(() => {}, success(quoteData));
    const api = apiOf(upstream, { maxConcurrent: 1, timeoutMs: 2000, maxTries: 1 });
    const calls = Array.from({ length: 1002 }, () => api.quote(quoteQuery));
    const all = await Promise.allSettled(calls);
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1000);
    expect(all.at(0)).toMatchObject({ reason: error('ERR_TIMEOUT') });
    expect(all.at(-1)).toMatchObject({ reason: error('ERR_NETWORK', 'waiting already') });
  }, 60_000);
});

describe('calls that were given up', () => {
  it('leave no place taken, neither running nor waiting', async () => {
    upstream.answerWith(() => {});
    const api = apiOf(upstream, { maxConcurrent: 2 });
    const controller = new AbortController();
    const { signal } = controller;
    const calls = Array.from({ length: 1002 }, () => api.quote(quoteQuery, { signal }));
    const all = Promise.allSettled(calls);
    controller.abort();
    await all;
    upstream.answerWith(success(quoteData));
    expect(await api.quote(quoteQuery)).toMatchObject({ fiatCurrency: 'USD' });
  });

  it('are not warned of, however many share a signal', async () => {
    const warnings: string[] = [];
    const hear = ({ name }: Error) => warnings.push(name);
    process.on('warning', hear);
    onTestFinished(() => void process.off('warning', hear));
    upstream.answerWith(success(quoteData));
    const { signal } = new AbortController();
    const api = apiOf(upstream, { maxConcurrent: 2 });
    await Promise.all(Array.from({ length: 40 }, () => api.quote(quoteQuery, { signal })));
    await new Promise((done) => setImmediate(done));
    expect(warnings).toEqual([]);
  });
});
