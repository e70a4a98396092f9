import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createReadinessCheck } from '../../src/database/openDatabase.js';
import { startShop } from '../support/startShop.js';

describe('/health and /ready', () => {
  it('return 200 while the database responds, and are not logged', async () => {
    const shop = await startShop();
    const responses = await Promise.all(
      ['/health', '/ready', '/ready?probe=1'].map((path) => fetch(shop.url + path)),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    const bodies = await Promise.all(responses.map((response) => response.json()));
    expect(bodies).toEqual([{ ok: true }, { ready: true }, { ready: true }]);
    expect(responses.map(({ headers }) => headers.getSetCookie())).toEqual([[], [], []]);
    await shop.close();
    expect(shop.logs()).not.toContain('request completed');
  });
});

describe('createReadinessCheck', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('returns false after two seconds if the query never ends', async () => {
    const isReady = createReadinessCheck(() => new Promise(() => {}));
    const result = isReady();
    await vi.advanceTimersByTimeAsync(1999);
    expect(await Promise.race([result, 'pending'])).toBe('pending');
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toBe(false);
  });

  it('sends one query for all probes until it ends, and recovers then', async () => {
    let end = () => {};
    const first = new Promise<void>((resolve) => {
      end = resolve;
    });
    const query = vi.fn(async () => {}).mockReturnValueOnce(first);
    const isReady = createReadinessCheck(query);
    const probes = [isReady(), isReady(), isReady()];
    await vi.advanceTimersByTimeAsync(2000);
    expect(await Promise.all(probes)).toEqual([false, false, false]);
    end();
    expect(await isReady()).toBe(true);
    expect(query).toHaveBeenCalledTimes(1);
    expect(await isReady()).toBe(true);
    expect(query).toHaveBeenCalledTimes(2);
  });

  it('returns false when the query fails, and queries again the next time', async () => {
    const query = vi.fn(async () => {}).mockRejectedValueOnce(new Error('no connection'));
    const isReady = createReadinessCheck(query);
    expect([await isReady(), await isReady()]).toEqual([false, true]);
  });
});
