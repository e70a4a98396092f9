import { describe, expect, it, vi } from 'vitest';
import {
  createProgressLimit,
  createSubjectLimit,
} from '../../../src/server/handler/requestLimits.js';
import { memoryOrderStore, type OrderStore } from '../../../src/server/index.js';
import { callHandler, createTestHandler } from '../../support/server/createTestHandler.js';
import { getHeaderShopper } from '../../support/server/headerShopper.js';
import { baseTime, onRampCheckout } from '../../support/server/orderFixtures.js';

/** Something that work waits for. */
function createGate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

describe('createSubjectLimit', () => {
  const setUp = () => {
    let now = 5000;
    const count = createSubjectLimit({ monotonic: () => now });
    const countTimes = (subject: string, times: number) => {
      for (let i = 0; i < times; i++) count(subject);
    };
    return { count, countTimes, pass: (ms: number) => (now += ms) };
  };

  it('refuses the 301st request of a subject in a minute, until the next minute', () => {
    const { count, countTimes, pass } = setUp();
    countTimes('u1', 300);
    pass(20_500);
    expect(() => count('u1')).toThrow(
      expect.objectContaining({ code: 'ERR_RATE_LIMITED', status: 429, retryAfterSeconds: 40 }),
    );
    pass(39_499);
    expect(() => count('u1')).toThrow(expect.objectContaining({ retryAfterSeconds: 1 }));
    pass(1);
    countTimes('u1', 300);
  });

  it('counts each subject for itself', () => {
    const { countTimes } = setUp();
    countTimes('u1', 300);
    countTimes('u2', 300);
  });
});

describe('createProgressLimit', () => {
  it('refuses a request while 1,000 others are in progress', async () => {
    const progress = createProgressLimit();
    const end = createGate();
    const running = Array.from({ length: 1000 }, () => progress.run(() => end.passed));
    const refused = { code: 'ERR_BUSY', status: 503, retryAfterSeconds: 5 };
    await expect(progress.run(async () => {})).rejects.toMatchObject(refused);
    end.open();
    await Promise.all(running);
    await progress.run(async () => {});
  });

  it('frees the place of a request that fails', async () => {
    const progress = createProgressLimit();
    for (let i = 0; i < 1001; i++)
      await expect(progress.run(() => Promise.reject(new Error('down')))).rejects.toThrow('down');
  });

  it('does not count requests whose body has not arrived', async () => {
    const progress = createProgressLimit();
    const body = createGate();
    const slow = Array.from({ length: 1000 }, () =>
      progress.run(() => progress.waitForBody(() => body.passed)),
    );
    const end = createGate();
    const running = Array.from({ length: 1000 }, () => progress.run(() => end.passed));
    await expect(progress.run(async () => {})).rejects.toMatchObject({ status: 503 });
    end.open();
    body.open();
    await Promise.all([...slow, ...running]);
    await progress.run(async () => {});
  });
});

describe('the handler under load', () => {
  const setUp = async (store: OrderStore = memoryOrderStore()) => {
    await store.saveCheckout(onRampCheckout());
    const onError = vi.fn();
    const runtime = { now: () => baseTime * 1000, monotonic: () => 5000 };
    const handler = createTestHandler({ store, onError }, runtime);
    const call = (path: string, method = 'GET') =>
      callHandler(handler, { method, path: `/api/ramp${path}` });
    return { call, onError };
  };

  it.each([
    ['GET', '/checkouts'],
    ['GET', '/checkouts?references=r1'],
    ['GET', '/checkouts/r1'],
    ['POST', '/checkouts'],
    ['POST', '/checkouts/r1/opened'],
    ['POST', '/checkouts/r1/continue'],
  ])('responds 429 to %s %s after 300 requests of the subject', async (method, path) => {
    const { call, onError } = await setUp();
    for (let i = 0; i < 300; i++) await call('/checkouts/r1');
    const { status, response, json } = await call(path, method);
    expect([status, json.error.code]).toEqual([429, 'ERR_RATE_LIMITED']);
    expect(response.headers.get('retry-after')).toBe('60');
    expect(onError).not.toHaveBeenCalled();
  });

  it('responds 503 above 1,000 requests in progress, and reports that once a minute', async () => {
    const inner = memoryOrderStore();
    const end = createGate();
    const findCheckout: OrderStore['findCheckout'] = async (...query) => {
      await end.passed;
      return inner.findCheckout(...query);
    };
    const store = { ...inner, findCheckout };
    await store.saveCheckout(onRampCheckout());
    const onError = vi.fn();
    const handler = createTestHandler({
      store,
      onError,
      getShopper: getHeaderShopper,
    });
    const call = (user: number) =>
      callHandler(handler, {
        method: 'GET',
        path: '/api/ramp/checkouts/r1',
        headers: { 'x-user': `${user}` },
      });
    const waiting = Array.from({ length: 1000 }, (_, user) => call(user));
    for (let times = 0; times < 3; times++) {
      const { status, response, json } = await call(1000);
      expect([status, json.error.code]).toEqual([503, 'ERR_BUSY']);
      expect(response.headers.get('retry-after')).toBe('5');
      expect(response.headers.get('access-control-expose-headers')).toContain('Retry-After');
    }
    expect(onError).toHaveBeenCalledOnce();
    end.open();
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(
      new Set([404]),
    );
    expect((await call(1000)).status).toBe(404);
  });
});
