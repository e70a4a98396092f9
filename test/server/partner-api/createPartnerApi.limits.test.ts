import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { QuoteQuery } from '../../../src/protocol/api/resources.js';
import type { Timer } from '../../../src/server/internal/runtime.js';
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
type TestApi = ReturnType<typeof createTestApi>;

describe('createPartnerApi while the service is down', () => {
  it('sends no request after five failures in a row, and tries again later', async () => {
    let clock = 0;
    const api = createTestApi(upstream, { maxTries: 1 }, { monotonic: () => clock });
    upstream.respondWith(destroyConnection);
    const failed = () => api.quote(quoteQuery).catch((reason) => reason.message);
    for (let i = 0; i < 5; i++) expect(await failed()).toContain('cannot be reached');
    expect(await countRequests(upstream, failed)).toBe(0);
    expect(await failed()).toContain('5 times in a row');
    upstream.respondWith(respondWithData(quoteData));
    clock += 4999;
    expect(await failed()).toContain('5 times in a row');
    clock += 1;
    expect(await api.quote(quoteQuery)).toBeDefined();
  });

  it('opens the circuit breaker of the failing operation only', async () => {
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

  it('resets the failures when the service responds, even with a refusal', async () => {
    const api = createTestApi(upstream, { maxTries: 1 });
    const getMessage = () => api.quote(quoteQuery).catch((reason) => reason.message);
    for (let round = 0; round < 3; round++) {
      upstream.respondWith(destroyConnection);
      for (let i = 0; i < 4; i++) expect(await getMessage()).toContain('cannot be reached');
      upstream.respondWith(respondWithBody('{"code":10002,"msg":"incorrect params","data":null}'));
      expect(await getMessage()).toContain('10002');
    }
  });

  it('sends one trial request when the circuit breaker may close', async () => {
    let clock = 0;
    const api = createTestApi(upstream, { maxTries: 1 }, { monotonic: () => clock });
    upstream.respondWith(destroyConnection);
    for (let i = 0; i < 5; i++) await api.quote(quoteQuery).catch(() => {});
    clock += 5000;
    const crowd = () => Promise.allSettled(Array.from({ length: 10 }, () => api.quote(quoteQuery)));
    expect(await countRequests(upstream, crowd)).toBe(1);
  });

  it('does not open the circuit breaker for refusals', async () => {
    const api = createTestApi(upstream);
    upstream.respondWith(respondWithBody('{"code":10002,"msg":"incorrect params","data":null}'));
    for (let i = 0; i < 12; i++)
      await expect(api.quote(quoteQuery)).rejects.toMatchObject({ apiCode: '10002' });
  });
});

describe('createPartnerApi with a currency on which the service hangs', () => {
  const ask = (api: TestApi, query: Partial<QuoteQuery>) =>
    api.quote({ ...quoteQuery, ...query }).catch((error) => error.message as string);
  /** A client on whose time limits the test decides, because a busy machine may miss a short one. */
  const createClient = () => {
    const limits = new Map<Timer, () => void>();
    const api = createTestApi(
      upstream,
      { maxTries: 1 },
      {
        setTimeout: (work) => {
          const timer = { unref() {} };
          limits.set(timer, work);
          return timer;
        },
        clearTimeout: (timer) => void limits.delete(timer as Timer),
      },
    );
    const hangOn = (code: string) =>
      upstream.respondWith((request, response) => {
        if (!request.url?.includes(code)) respondWithData(quoteData)(request, response);
        else for (const reachLimit of [...limits.values()]) reachLimit();
      });
    return { api, hangOn };
  };

  it('opens the circuit breaker for all amounts of that currency, and no other one', async () => {
    const { api, hangOn } = createClient();
    hangOn('BOOM');
    const boom = (i: number) => ask(api, { cryptoCurrencyCode: 'BOOM', currencyAmount: `${i}` });
    for (let i = 1; i <= 5; i++) expect(await boom(i)).toContain('no complete response within');
    expect(await boom(6)).toContain('5 times in a row');
    expect(await ask(api, {})).toMatchObject({ fiatCurrency: 'USD' });
  });

  it('still requests the price of another currency after it hung on several ones', async () => {
    const { api, hangOn } = createClient();
    hangOn('BOOM');
    for (const code of ['BOOM', 'BOOM2', 'BOOM3', 'BOOM4'])
      await ask(api, { cryptoCurrencyCode: code });
    expect(await ask(api, { cryptoCurrencyCode: 'BOOM' })).toContain('times in a row');
    expect(await ask(api, {})).toMatchObject({ fiatCurrency: 'USD' });
    // The success shows that the service is up, so the client has reset the failures of BOOM2, and requests it again.
    expect(await ask(api, { cryptoCurrencyCode: 'BOOM2' })).toContain(
      'no complete response within',
    );
  });

  it('stops at the first failure of each currency while the whole service is down', async () => {
    upstream.respondWith(destroyConnection);
    const api = createTestApi(upstream, { maxTries: 1 });
    for (const code of ['A', 'B', 'C', 'D'])
      expect(await ask(api, { cryptoCurrencyCode: code })).toContain('cannot be reached');
    const again = async () => {
      for (const code of ['A', 'B', 'C', 'D'])
        expect(await ask(api, { cryptoCurrencyCode: code })).toContain('in a row');
    };
    expect(await countRequests(upstream, again)).toBe(0);
  });

  it('leaves half of the places for prices to other currencies', async () => {
    upstream.respondWith((request, response) => {
      if (!request.url?.includes('BOOM')) respondWithData(quoteData)(request, response);
    });
    const api = createTestApi(upstream, { maxTries: 1, timeoutMs: 10_000 });
    const controller = new AbortController();
    const { signal } = controller;
    const hung = Promise.allSettled(
      Array.from({ length: 50 }, () =>
        api.quote({ ...quoteQuery, cryptoCurrencyCode: 'BOOM' }, { signal }),
      ),
    );
    expect(await ask(api, {})).toMatchObject({ fiatCurrency: 'USD' });
    controller.abort();
    await hung;
  });
});

describe('createPartnerApi with a request that the service cannot handle', () => {
  it.each([
    ['as JSON', '{"code":50000,"msg":"internal error","data":null}'],
    ['as HTML', '<h1>Internal Server Error</h1>'],
  ])('does not open the circuit breaker for a status 500 %s', async (_, text) => {
    const api = createTestApi(upstream, { maxTries: 1 });
    upstream.respondWith(respondWithBody(text, 500));
    for (let i = 0; i < 12; i++) await api.quote(quoteQuery).catch(() => {});
    upstream.respondWith(respondWithData(quoteData));
    expect(await api.quote(quoteQuery)).toMatchObject({ fiatCurrency: 'USD' });
  });

  it.each([429, 502, 503, 504])(
    'opens the circuit breaker for an overload: status %i',
    async (status) => {
      const api = createTestApi(upstream, { maxTries: 1 });
      upstream.respondWith(respondWithBody('<html>', status));
      for (let i = 0; i < 5; i++) await api.quote(quoteQuery).catch(() => {});
      await expect(api.quote(quoteQuery)).rejects.toThrow('5 times in a row');
    },
  );
});

describe('createPartnerApi with many concurrent requests', () => {
  const readCurrencies = (api: TestApi) => api.fiatCurrencies();
  // Requests for one currency may take only half of the concurrent places, so use two currencies.
  const readPrice = (api: TestApi, i: number) =>
    api.quote({ ...quoteQuery, cryptoCurrencyCode: i % 2 ? 'ETH' : 'BTC' });

  it.each([
    [32, 'currencies', readCurrencies, '[]'],
    [8, 'prices', readPrice, quoteData],
  ])('sends %i at a time for %s, and completes all', async (most, _, read, data) => {
    const held: ServerResponse[] = [];
    const underWay: number[] = [];
    upstream.respondWith((_, response) => {
      held.push(response);
      if (held.length !== most) return;
      // Wait 10 ms before responding: if the client sent more than `most` requests, they would arrive within this time.
      setTimeout(() => {
        underWay.push(held.length);
        for (const waiting of held.splice(0)) respondWithData(data)({} as never, waiting);
      }, 10);
    });
    const api = createTestApi(upstream, { timeoutMs: 30_000 });
    const calls = Array.from({ length: 10 * most }, (_, i) => read(api, i));
    expect(await Promise.all(calls)).toHaveLength(10 * most);
    expect(underWay).toEqual(Array(10).fill(most));
  });

  it('rejects immediately with a message when too many requests wait', async () => {
    upstream.respondWith(() => {});
    const api = createTestApi(upstream);
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = Array.from({ length: 1032 }, () => api.fiatCurrencies({ signal }));
    const all = Promise.allSettled(waiting);
    await expect(api.fiatCurrencies()).rejects.toThrow(
      expectRampError('ERR_NETWORK', 'are already waiting'),
    );
    controller.abort();
    await all;
  });

  it('rejects requests that wait longer than timeoutMs', async () => {
    upstream.respondWith((_, response) => void setTimeout(() => response.end(envelope), 60));
    const api = createTestApi(upstream, { timeoutMs: 100, maxTries: 1 });
    const all = await Promise.allSettled(Array.from({ length: 100 }, () => api.quote(quoteQuery)));
    expect(all.at(-1)).toMatchObject({
      reason: expectRampError('ERR_TIMEOUT', 'could start within 100 ms'),
    });
  });

  it('does not delay the order list because of prices', async () => {
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
    // The service never responds to price requests, so they still run or wait while this call succeeds.
    expect(await api.orders({ startTime: 0, endTime: 1 })).toMatchObject({ totalCount: 0 });
    controller.abort();
    await crowd;
  });
});

describe('createPartnerApi after aborted calls', () => {
  it('frees their places, both running and waiting', async () => {
    upstream.respondWith(() => {});
    const api = createTestApi(upstream);
    const controller = new AbortController();
    const { signal } = controller;
    const calls = Array.from({ length: 1002 }, () => api.quote(quoteQuery, { signal }));
    const all = Promise.allSettled(calls);
    controller.abort();
    await all;
    upstream.respondWith(respondWithData(quoteData));
    expect(await api.quote(quoteQuery)).toMatchObject({ fiatCurrency: 'USD' });
  });

  it('causes no warning of Node for a shared signal', async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error) => warnings.push(name);
    process.on('warning', onWarning);
    onTestFinished(() => void process.off('warning', onWarning));
    upstream.respondWith(respondWithData(quoteData));
    const { signal } = new AbortController();
    const api = createTestApi(upstream);
    await Promise.all(Array.from({ length: 40 }, () => api.quote(quoteQuery, { signal })));
    await new Promise((done) => setImmediate(done));
    expect(warnings).toEqual([]);
  });
});
