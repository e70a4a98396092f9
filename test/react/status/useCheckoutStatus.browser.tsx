import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useCheckoutStatus } from '../../../src/index.js';
import { accelerateTime } from '../../support/browser/accelerateTime.js';
import { pollNow, statusBackend } from '../../support/browser/statusBackend.js';
import { createNftResponse, renderCheckoutStatus } from './renderCheckoutStatus.js';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const quiet = () => vi.spyOn(console, 'warn').mockImplementation(() => {});
/** Waits for longer than a request that is due at once takes. */
const wait = (ms = 100) => act(() => new Promise((done) => setTimeout(done, ms)));

describe('useCheckoutStatus', () => {
  it('polls a checkout until it is terminal, with headers and credentials', async () => {
    const { requests, nth } = statusBackend();
    const { result } = renderCheckoutStatus();
    expect(result.current).toMatchObject({ status: 'loading', data: undefined });
    const { path, init } = await nth(1);
    // The slash at the end of the provider's `api` makes no difference.
    expect(path).toBe('/api/ramp/checkouts?references=r1');
    expect(init.credentials).toBe('include');
    expect(new Headers(init.headers).get('x-token')).toBe('t');
    for (const progress of ['waiting', 'finished', 'settlement', 'settled'] as const) {
      const count = requests.length;
      act(() => requests[count - 1]?.respond(createNftResponse(progress)));
      await waitFor(() => expect(result.current.data?.progress).toBe(progress));
      pollNow();
      if (progress !== 'settled') await nth(count + 1);
    }
    await wait();
    expect(result.current.status).toBe('success');
    expect(requests).toHaveLength(4);
  });

  it('calls a headers function of the latest render for each poll', async () => {
    const { requests, nth } = statusBackend();
    let count = 0;
    const page = ({ prefix }: { prefix: string }) =>
      useCheckoutStatus('r1', {
        api: '/api/ramp',
        headers: async () => ({ 'X-Token': `${prefix}${++count}` }),
      });
    const { rerender, result } = renderHook(page, { initialProps: { prefix: 'a' } });
    const tokens = () => requests.map(({ init }) => new Headers(init.headers).get('x-token'));
    (await nth(1)).respond(createNftResponse('waiting'));
    await waitFor(() => expect(result.current.status).toBe('success'));
    rerender({ prefix: 'b' });
    pollNow();
    await nth(2);
    expect(tokens()).toEqual(['a1', 'b2']);
  });

  it('retries when the headers function rejects', async () => {
    accelerateTime();
    const { nth } = statusBackend();
    const warn = quiet();
    const cause = new Error('no token');
    let fails = 2;
    const page = () =>
      useCheckoutStatus('r1', {
        api: '/api/ramp',
        headers: () => (fails-- > 0 ? Promise.reject(cause) : {}),
      });
    const { result } = renderHook(page);
    await waitFor(() => expect(result.current.error?.code).toBe('ERR_NETWORK'));
    expect(result.current.error?.cause).toBe(cause);
    (await nth(1)).respond(createNftResponse('waiting'));
    await waitFor(() => expect(result.current.status).toBe('success'));
    expect(warn.mock.calls.flat()).toContain(cause);
  }, 15_000);

  it('keeps the last state with an error while the connection is lost, and recovers with it', async () => {
    accelerateTime();
    quiet();
    const { requests, nth } = statusBackend();
    const { result } = renderCheckoutStatus();
    (await nth(1)).respond(createNftResponse('waiting'));
    await waitFor(() => expect(result.current.status).toBe('success'));
    (await nth(2)).fail();
    (await nth(3)).fail();
    await waitFor(() => expect(result.current.status).toBe('error'));
    expect(result.current).toMatchObject({
      error: { code: 'ERR_NETWORK' },
      data: { progress: 'waiting' },
    });
    const count = requests.length;
    pollNow();
    (await nth(count + 1)).respond(createNftResponse('waiting'));
    await waitFor(() =>
      expect(result.current).toMatchObject({
        status: 'success',
        error: undefined,
        data: { progress: 'waiting' },
      }),
    );
  }, 20_000);

  it('requests again immediately by retry, and keeps the last state', async () => {
    const { nth } = statusBackend();
    const { result } = renderCheckoutStatus();
    (await nth(1)).respond(createNftResponse('settled'));
    await waitFor(() => expect(result.current.status).toBe('success'));
    act(() => result.current.retry());
    expect(result.current.data?.progress).toBe('settled');
    (await nth(2)).respond({ ...createNftResponse('settled'), underReview: 1 });
    await waitFor(() => expect(result.current.data?.underReview).toBe(1));
  });

  it('stops when the backend does not know the checkout, until retry', async () => {
    quiet();
    const { requests, nth } = statusBackend();
    const { result } = renderCheckoutStatus();
    (await nth(1)).respond();
    await waitFor(() => expect(result.current.error?.code).toBe('ERR_CHECKOUT_NOT_FOUND'));
    expect(result.current.error?.status).toBe(404);
    pollNow();
    await wait();
    expect(requests).toHaveLength(1);
    act(() => result.current.retry());
    await waitFor(() => expect(result.current.status).toBe('loading'));
    (await nth(2)).respond(createNftResponse('waiting'));
    await waitFor(() => expect(result.current.status).toBe('success'));
  });

  it('sends no request without a reference, and resets for another checkout', async () => {
    const { requests, nth } = statusBackend();
    const { result, rerender } = renderCheckoutStatus({ of: undefined });
    await wait();
    expect(result.current.status).toBe('idle');
    expect(requests).toEqual([]);
    rerender({ of: 'r1' });
    (await nth(1)).respond(createNftResponse('waiting'));
    await waitFor(() => expect(result.current.status).toBe('success'));
    rerender({ of: 'r2' });
    expect(result.current).toMatchObject({ status: 'loading', data: undefined });
    await nth(2);
    expect(requests.map(({ references }) => references)).toEqual([['r1'], ['r2']]);
    rerender({ of: undefined });
    expect(result.current).toMatchObject({ status: 'idle', data: undefined });
    expect(requests[1]?.init.signal?.aborted).toBe(true);
  });

  it('sends one request in StrictMode, and aborts it on unmount', async () => {
    const { requests, nth } = statusBackend();
    const { unmount } = renderHook(() => useCheckoutStatus('r1', { api: '/api/ramp' }), {
      wrapper: StrictMode,
    });
    const { init } = await nth(1);
    unmount();
    expect(init.signal?.aborted).toBe(true);
    pollNow();
    await wait();
    expect(requests).toHaveLength(1);
  });

  it('shares the requests of several components with one backend', async () => {
    const { requests, nth } = statusBackend();
    const page = () =>
      [
        useCheckoutStatus('r1', { api: '/api/ramp' }),
        useCheckoutStatus('r2', { api: '/api/ramp/', credentials: 'same-origin' }),
        useCheckoutStatus('r1', { api: '/api/ramp', headers: () => ({}) }),
        useCheckoutStatus('r3', { api: '/other' }),
      ].map(({ data }) => data?.reference);
    const { result } = renderHook(page);
    await nth(2);
    expect(requests.map(({ path }) => path).sort()).toEqual([
      '/api/ramp/checkouts?references=r1,r2',
      '/other/checkouts?references=r3',
    ]);
    for (const { references, respond } of requests)
      respond(...references.map((reference) => ({ ...createNftResponse('waiting'), reference })));
    await waitFor(() => expect(result.current).toEqual(['r1', 'r2', 'r1', 'r3']));
  });

  it('warns in development once about each kind of error, with advice', async () => {
    accelerateTime();
    const warn = quiet();
    const { nth } = statusBackend();
    renderCheckoutStatus();
    (await nth(1)).json('<html>', 403);
    (await nth(2)).json('<html>', 403);
    await waitFor(() => expect(warn).toHaveBeenCalledOnce());
    expect(warn.mock.calls[0]?.[0]).toMatch(/ERR_RESPONSE_INVALID: .*403.*before the ramp handler/);
    const message = 'The handler has no such route.';
    (await nth(3)).json({ error: { code: 'ERR_REQUEST', message } }, 404);
    await waitFor(() => expect(warn).toHaveBeenCalledTimes(2));
    expect(warn.mock.calls[1]?.[0]).toContain(message);
  }, 20_000);

  it('returns an error and warns without an api', async () => {
    const warn = quiet();
    const { result } = renderHook(() => useCheckoutStatus('r1'));
    await waitFor(() => expect(result.current.error?.code).toBe('ERR_CONFIG_INVALID'));
    await waitFor(() =>
      expect(warn.mock.calls).toEqual([[expect.stringMatching(/api is missing/)]]),
    );
  });
});
