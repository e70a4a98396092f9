import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useCheckoutStatus } from '../../../src/index.js';
import { accelerateTime } from '../../support/browser/accelerateTime.js';
import {
  createNftResponse,
  renderCheckoutStatus,
} from '../../support/browser/renderCheckoutStatus.js';
import { statusBackend } from '../../support/browser/statusBackend.js';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('useCheckoutStatus', () => {
  it('watches a checkout by events until it is terminal, with headers and credentials', async () => {
    const { requests, nth } = statusBackend();
    const { result } = renderCheckoutStatus();
    expect(result.current).toMatchObject({ status: 'loading', data: undefined });
    const { path, init, stream } = await nth(1);
    expect(path).toBe('/api/ramp/checkouts/r1/events');
    expect(init.credentials).toBe('include');
    expect(new Headers(init.headers).get('x-token')).toBe('t');
    const events = stream();
    for (const progress of ['waiting', 'finished', 'settlement', 'settled'] as const) {
      act(() => events.send(createNftResponse(progress)));
      await waitFor(() => expect(result.current.data?.progress).toBe(progress));
    }
    expect(result.current.status).toBe('success');
    expect(requests).toHaveLength(1);
    expect(init.signal?.aborted).toBe(true);
  });

  it('calls a headers function of the latest render for each stream and each poll', async () => {
    accelerateTime();
    const { requests, nth } = statusBackend();
    let count = 0;
    const page = ({ prefix }: { prefix: string }) =>
      useCheckoutStatus('r1', {
        api: '/api/ramp',
        headers: async () => ({ 'X-Token': `${prefix}${++count}` }),
      });
    const { rerender } = renderHook(page, { initialProps: { prefix: 'a' } });
    const tokens = () => requests.map(({ init }) => new Headers(init.headers).get('x-token'));
    const first = (await nth(1)).stream();
    first.send(createNftResponse('waiting'), 41);
    rerender({ prefix: 'b' });
    first.end();
    (await nth(2)).json('<html>', 403);
    await nth(3);
    expect(tokens().slice(0, 3)).toEqual(['a1', 'b2', 'b3']);
    expect(requests.map(({ path }) => path.replace(/.*r1/, ''))).toEqual([
      '/events',
      '/events',
      '',
    ]);
  }, 15_000);

  it('retries when the headers function rejects', async () => {
    accelerateTime();
    const { nth } = statusBackend();
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
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
    const { path, stream, json } = await nth(1);
    if (path.endsWith('/events')) stream().send(createNftResponse('waiting'));
    else json(createNftResponse('waiting'));
    await waitFor(() => expect(result.current.status).toBe('success'));
    expect(warn.mock.calls.flat()).toContain(cause);
  }, 15_000);

  it('reconnects to a stream that ended, with the id of the last event', async () => {
    accelerateTime();
    const { nth } = statusBackend();
    const { result } = renderCheckoutStatus();
    const first = (await nth(1)).stream();
    first.send(createNftResponse('waiting'), 41);
    await waitFor(() => expect(result.current.data?.progress).toBe('waiting'));
    first.end();
    const again = await nth(2);
    expect(new Headers(again.init.headers).get('last-event-id')).toBe('41');
    again.stream().send(createNftResponse('finished', 'on-ramp'), 42);
    await waitFor(() => expect(result.current.data?.progress).toBe('finished'));
  });

  it('polls when the backend refuses the stream', async () => {
    accelerateTime();
    const { nth } = statusBackend();
    const { result } = renderCheckoutStatus();
    (await nth(1)).json({ error: { code: 'ERR_REQUEST', message: 'Too many streams.' } }, 429);
    const second = await nth(2);
    expect(second.path).toBe('/api/ramp/checkouts/r1');
    second.json(createNftResponse('waiting'));
    await waitFor(() => expect(result.current.data?.progress).toBe('waiting'));
    (await nth(3)).json(createNftResponse('settled'));
    await waitFor(() => expect(result.current.data?.progress).toBe('settled'));
  }, 20_000);

  it('polls from the start and without an error when the backend has no streams', async () => {
    accelerateTime();
    const { requests, nth } = statusBackend();
    const { result } = renderCheckoutStatus();
    const missing = { error: { code: 'ERR_REQUEST', message: 'Poll the checkout with GET.' } };
    (await nth(1)).json(missing, 404);
    // Fifteen polls take longer than the pause after which a refused stream is tried again.
    for (let i = 2; i < 17; i++) {
      (await nth(i)).json(createNftResponse('waiting'));
      await waitFor(() => expect(result.current.status).toBe('success'));
    }
    const paths = requests.map(({ path }) => path);
    expect(paths.filter((path) => path.endsWith('/events'))).toHaveLength(1);
    expect(result.current.error).toBeUndefined();
  }, 30_000);

  it('sends the ETag of the last poll, and keeps the state after a 304', async () => {
    accelerateTime();
    const { nth } = statusBackend();
    const { result } = renderCheckoutStatus();
    (await nth(1)).json({}, 404);
    const tagOf = ({ init }: { init: RequestInit }) =>
      new Headers(init.headers).get('if-none-match');
    const first = await nth(2);
    expect(tagOf(first)).toBeNull();
    first.json(createNftResponse('waiting'), 200, { ETag: '"a"' });
    for (const n of [3, 4]) {
      const next = await nth(n);
      expect(tagOf(next)).toBe('"a"');
      next.notModified();
    }
    const last = await nth(5);
    expect(result.current).toMatchObject({ status: 'success', data: { progress: 'waiting' } });
    last.json(createNftResponse('settled'), 200, { ETag: '"b"' });
    await waitFor(() => expect(result.current.data?.progress).toBe('settled'));
  }, 20_000);

  it('retries later after status 429', async () => {
    accelerateTime();
    const { nth } = statusBackend();
    const { result } = renderCheckoutStatus();
    const refusal = { error: { code: 'ERR_REQUEST', message: 'Too many questions.' } };
    (await nth(1)).json(refusal, 429);
    (await nth(2)).json(refusal, 429);
    (await nth(3)).json(createNftResponse('settled'));
    await waitFor(() => expect(result.current.data?.progress).toBe('settled'));
    expect(result.current.error).toBeUndefined();
  }, 20_000);

  it('requests again immediately by retry, and keeps the last state', async () => {
    const { requests, nth } = statusBackend();
    const { result } = renderCheckoutStatus();
    (await nth(1)).stream().send(createNftResponse('waiting'));
    await waitFor(() => expect(result.current.status).toBe('success'));
    act(() => result.current.retry());
    expect(result.current.data?.progress).toBe('waiting');
    (await nth(2)).stream().send(createNftResponse('settled'));
    await waitFor(() => expect(result.current.data?.progress).toBe('settled'));
    expect(requests[0]?.init.signal?.aborted).toBe(true);
  });

  it('stops when the backend does not know the checkout', async () => {
    accelerateTime();
    const { requests, nth } = statusBackend();
    const { result } = renderCheckoutStatus();
    const refusal = { error: { code: 'ERR_REQUEST', message: 'Checkout not found.' } };
    (await nth(1)).json(refusal, 404);
    (await nth(2)).json(refusal, 404);
    await waitFor(() => expect(result.current.error?.code).toBe('ERR_REQUEST'));
    await new Promise((done) => setTimeout(done, 300));
    expect(requests).toHaveLength(2);
  });

  it('sends no request without a reference, and resets for another checkout', async () => {
    const { requests, nth } = statusBackend();
    const { result, rerender } = renderCheckoutStatus({ of: undefined });
    await new Promise((done) => setTimeout(done, 100));
    expect(result.current.status).toBe('idle');
    expect(requests).toEqual([]);
    rerender({ of: 'r1' });
    const first = await nth(1);
    first.stream().send(createNftResponse('waiting'));
    await waitFor(() => expect(result.current.status).toBe('success'));
    rerender({ of: 'r2' });
    expect(result.current).toMatchObject({ status: 'loading', data: undefined });
    await nth(2);
    expect(first.init.signal?.aborted).toBe(true);
    expect(requests.map(({ path }) => path.split('/').at(-2))).toEqual(['r1', 'r2']);
  });

  it('aborts everything on unmount', async () => {
    accelerateTime();
    const { requests, nth } = statusBackend();
    const { unmount } = renderCheckoutStatus();
    const { init, stream } = await nth(1);
    stream().send(createNftResponse('waiting'));
    unmount();
    expect(init.signal?.aborted).toBe(true);
    await new Promise((done) => setTimeout(done, 1500));
    expect(requests).toHaveLength(1);
  });

  it('warns in development once about each kind of error, with advice', async () => {
    accelerateTime();
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { nth } = statusBackend();
    renderCheckoutStatus();
    (await nth(1)).json('<html>', 403);
    (await nth(2)).json('<html>', 403);
    await waitFor(() => expect(warn).toHaveBeenCalledOnce());
    expect(warn.mock.calls[0]?.[0]).toMatch(/ERR_RESPONSE_INVALID: .*403.*before the ramp handler/);
    const message = 'createRampHandler has no getSubject.';
    (await nth(3)).json({ error: { code: 'ERR_REQUEST', message } }, 404);
    await waitFor(() => expect(warn).toHaveBeenCalledTimes(2));
    expect(warn.mock.calls[1]?.[0]).toContain(message);
  }, 20_000);

  it('returns an error and warns without an api', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { result } = renderHook(() => useCheckoutStatus('r1'));
    await waitFor(() => expect(result.current.error?.code).toBe('ERR_CONFIG_INVALID'));
    await waitFor(() =>
      expect(warn.mock.calls).toEqual([[expect.stringMatching(/api is missing/)]]),
    );
  });
});
