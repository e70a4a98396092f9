import { describe, expect, it } from 'vitest';
import {
  createTestApi,
  envelope,
  quoteQuery,
  respondWithBody,
  setUpUpstream,
} from '../../support/server/startUpstream.js';

const upstream = setUpUpstream();

/** Creates a client whose clock differs from the service's by `seconds`, and records its warnings. */
const createSkewedApi = (seconds: number) => {
  const clock = { skew: seconds };
  const warnings: Error[] = [];
  const api = createTestApi(
    upstream,
    {
      onError: (error) => warnings.push(error),
    },
    { now: () => Date.now() + clock.skew * 1000 },
  );
  upstream.respondWith(respondWithBody(envelope));
  return { api, clock, warnings, quote: () => api.quote(quoteQuery) };
};

describe('createPartnerApi with clock skew', () => {
  it.each([
    [-600, /(599|600|601) seconds behind/],
    [600, /(599|600|601) seconds ahead of/],
    [35, /3[456] seconds ahead of/],
  ])('warns before requests fail: %i seconds', async (skew, words) => {
    const { warnings, quote } = createSkewedApi(skew);
    await quote();
    expect(warnings).toMatchObject([
      { code: 'ERR_CLOCK_SKEW', message: expect.stringMatching(words) },
    ]);
  });

  it('tells the difference at the last response, also a small one', async () => {
    const { api, clock, quote } = createSkewedApi(600);
    expect(api.clockSkewSeconds).toBeUndefined();
    await quote();
    expect(Math.abs((api.clockSkewSeconds ?? 0) - 600)).toBeLessThan(60);
    clock.skew = 0;
    await quote();
    expect(Math.abs(api.clockSkewSeconds ?? 600)).toBeLessThan(60);
  });

  it('warns once an hour, and again after the clock was changed', async () => {
    const { clock, warnings, quote } = createSkewedApi(600);
    for (let i = 0; i < 20; i++) await quote();
    expect(warnings).toHaveLength(1);
    clock.skew += 3600;
    await quote();
    expect(warnings).toHaveLength(2);
    clock.skew = -3600;
    await quote();
    expect(warnings).toHaveLength(3);
  });

  it('returns the response even if onError throws', async () => {
    upstream.respondWith(respondWithBody(envelope));
    const onError = () => {
      throw new Error('no log');
    };
    const api = createTestApi(upstream, { onError }, { now: () => Date.now() + 600_000 });
    await expect(api.quote(quoteQuery)).resolves.toHaveProperty('cryptoCurrencyAmount');
  });
});

describe('createPartnerApi without clock skew', () => {
  it('does not warn if the clocks differ by at most 30 seconds', async () => {
    const { warnings, quote } = createSkewedApi(25);
    await quote();
    expect(warnings).toEqual([]);
  });

  it('does not warn about the date of a cached response, or an invalid date', async () => {
    const { warnings, quote } = createSkewedApi(600);
    upstream.respondWith(
      respondWithBody(envelope, 200, { Age: '700' }),
      respondWithBody(envelope, 200, { Date: 'yesterday' }),
    );
    await quote();
    await quote();
    expect(warnings).toEqual([]);
  });
});
