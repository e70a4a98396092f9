import { describe, expect, it } from 'vitest';
import {
  createTestApi,
  envelope,
  quoteQuery,
  respondWithBody,
  setUpUpstream,
} from '../../support/server/startUpstream.js';

const upstream = setUpUpstream();

/** A client whose clock is so far from the service's, and what it has warned of. */
const apart = (seconds: number) => {
  const clock = { skew: seconds };
  const warnings: Error[] = [];
  const api = createTestApi(upstream, {
    now: () => Date.now() + clock.skew * 1000,
    onClockSkew: (error) => warnings.push(error),
  });
  upstream.respondWith(respondWithBody(envelope));
  return { clock, warnings, ask: () => api.quote(quoteQuery) };
};

describe('A clock that is not the service’s', () => {
  it.each([
    [-600, /(599|600|601) seconds behind/],
    [600, /(599|600|601) seconds ahead of/],
    [35, /3[456] seconds ahead of/],
  ])('is warned of while all goes well: %i seconds', async (skew, words) => {
    const { warnings, ask } = apart(skew);
    await ask();
    expect(warnings).toMatchObject([
      { code: 'ERR_CONFIG_INVALID', message: expect.stringMatching(words) },
    ]);
  });

  it('is warned of once an hour, and again when it was set', async () => {
    const { clock, warnings, ask } = apart(600);
    for (let i = 0; i < 20; i++) await ask();
    expect(warnings).toHaveLength(1);
    clock.skew += 3600;
    await ask();
    expect(warnings).toHaveLength(2);
    clock.skew = -3600;
    await ask();
    expect(warnings).toHaveLength(3);
  });

  it('costs no answer, whoever hears of it', async () => {
    upstream.respondWith(respondWithBody(envelope));
    const onClockSkew = () => {
      throw new Error('no log');
    };
    const api = createTestApi(upstream, { now: () => Date.now() + 600_000, onClockSkew });
    await expect(api.quote(quoteQuery)).resolves.toHaveProperty('cryptoCurrencyAmount');
  });
});

describe('Nothing is warned of', () => {
  it('where the clocks agree to half a minute', async () => {
    const { warnings, ask } = apart(25);
    await ask();
    expect(warnings).toEqual([]);
  });

  it('where the date of the answer is that of a cache, or is none', async () => {
    const { warnings, ask } = apart(600);
    upstream.respondWith(
      respondWithBody(envelope, 200, { Age: '700' }),
      respondWithBody(envelope, 200, { Date: 'yesterday' }),
    );
    await ask();
    await ask();
    expect(warnings).toEqual([]);
  });
});
