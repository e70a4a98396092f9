import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type CheckoutResponse, RampProvider, useCheckoutStatus } from '../../../src/index.js';
import { accelerateTime, fakeTimerOptions } from '../../support/browser/accelerateTime.js';
import { createCheckoutResponse, statusBackend } from '../../support/browser/statusBackend.js';

const answer = (
  progress: CheckoutResponse['progress'],
  widget: CheckoutResponse['widget'] = 'nft',
) => createCheckoutResponse({ progress, widget });

const wrapper = ({ children }: { children: ReactNode }) => (
  <RampProvider api="/api/ramp/" headers={{ 'X-Token': 't' }} credentials="include">
    {children}
  </RampProvider>
);
const hook = (initialProps: { of: string | undefined } = { of: 'r1' }) =>
  renderHook(({ of }) => useCheckoutStatus(of), { wrapper, initialProps });

/** Streams that were opened before the first poll. */
const streamsBefore = (asked: readonly { readonly path: string }[]) =>
  asked.findIndex(({ path }) => !path.endsWith('/events'));

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('useCheckoutStatus', () => {
  it('follows a checkout by events until it is over, with headers and credentials', async () => {
    const { asked, nth } = statusBackend();
    const { result } = hook();
    expect(result.current).toMatchObject({ status: 'loading', checkout: undefined });
    const { path, init, stream } = await nth(1);
    expect(path).toBe('/api/ramp/checkouts/r1/events');
    expect(init.credentials).toBe('include');
    expect(new Headers(init.headers).get('x-token')).toBe('t');
    const events = stream();
    for (const progress of ['waiting', 'finished', 'settlement', 'settled'] as const) {
      act(() => events.send(answer(progress)));
      await waitFor(() => expect(result.current.checkout?.progress).toBe(progress));
    }
    expect(result.current.status).toBe('known');
    expect(asked).toHaveLength(1);
    expect(init.signal?.aborted).toBe(true);
  });

  it('calls a headers function of the latest render for each stream and each poll', async () => {
    accelerateTime();
    const { asked, nth } = statusBackend();
    let count = 0;
    const page = ({ prefix }: { prefix: string }) =>
      useCheckoutStatus('r1', {
        api: '/api/ramp',
        headers: async () => ({ 'X-Token': `${prefix}${++count}` }),
      });
    const { rerender } = renderHook(page, { initialProps: { prefix: 'a' } });
    const tokens = () => asked.map(({ init }) => new Headers(init.headers).get('x-token'));
    const first = (await nth(1)).stream();
    first.send(answer('waiting'), 41);
    rerender({ prefix: 'b' });
    first.end();
    (await nth(2)).json('<html>', 403);
    await nth(3);
    expect(tokens().slice(0, 3)).toEqual(['a1', 'b2', 'b3']);
    expect(asked.map(({ path }) => path.replace(/.*r1/, ''))).toEqual(['/events', '/events', '']);
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
    if (path.endsWith('/events')) stream().send(answer('waiting'));
    else json(answer('waiting'));
    await waitFor(() => expect(result.current.status).toBe('known'));
    expect(warn.mock.calls.flat()).toContain(cause);
  }, 15_000);

  it('comes back to a stream that ended, and says what it has seen', async () => {
    accelerateTime();
    const { nth } = statusBackend();
    const { result } = hook();
    const first = (await nth(1)).stream();
    first.send(answer('waiting'), 41);
    await waitFor(() => expect(result.current.checkout?.progress).toBe('waiting'));
    first.end();
    const again = await nth(2);
    expect(new Headers(again.init.headers).get('last-event-id')).toBe('41');
    again.stream().send(answer('finished', 'on-ramp'), 42);
    await waitFor(() => expect(result.current.checkout?.progress).toBe('finished'));
  });

  it('asks from time to time where no stream arrives', async () => {
    accelerateTime();
    const { nth } = statusBackend();
    const { result } = hook();
    (await nth(1)).json({ error: { code: 'ERR_REQUEST', message: 'Too many streams.' } }, 429);
    const second = await nth(2);
    expect(second.path).toBe('/api/ramp/checkouts/r1');
    second.json(answer('waiting'));
    await waitFor(() => expect(result.current.checkout?.progress).toBe('waiting'));
    (await nth(3)).json(answer('settled'));
    await waitFor(() => expect(result.current.checkout?.progress).toBe('settled'));
  }, 20_000);

  it('asks again later where it was asked too often', async () => {
    accelerateTime();
    const { nth } = statusBackend();
    const { result } = hook();
    const refusal = { error: { code: 'ERR_REQUEST', message: 'Too many questions.' } };
    (await nth(1)).json(refusal, 429);
    (await nth(2)).json(refusal, 429);
    (await nth(3)).json(answer('settled'));
    await waitFor(() => expect(result.current.checkout?.progress).toBe('settled'));
    expect(result.current.error).toBeUndefined();
  }, 20_000);

  it('asks at once by retry, and keeps what it knows', async () => {
    const { asked, nth } = statusBackend();
    const { result } = hook();
    (await nth(1)).stream().send(answer('waiting'));
    await waitFor(() => expect(result.current.status).toBe('known'));
    act(() => result.current.retry());
    expect(result.current.checkout?.progress).toBe('waiting');
    (await nth(2)).stream().send(answer('settled'));
    await waitFor(() => expect(result.current.checkout?.progress).toBe('settled'));
    expect(asked[0]?.init.signal?.aborted).toBe(true);
  });

  it('keeps what it knows while the connection is lost, says so, and comes back with it', async () => {
    const { asked, nth } = statusBackend();
    const { result } = hook();
    const events = (await nth(1)).stream();
    events.send(answer('waiting'));
    await waitFor(() => expect(result.current.status).toBe('known'));
    vi.useFakeTimers(fakeTimerOptions);
    events.end();
    await vi.advanceTimersByTimeAsync(1000);
    (await nth(2)).fail();
    await vi.advanceTimersByTimeAsync(2000);
    (await nth(3)).fail();
    await waitFor(() => expect(result.current.status).toBe('error'));
    expect(result.current).toMatchObject({
      error: { code: 'ERR_NETWORK' },
      checkout: { progress: 'waiting' },
    });
    expect(asked).toHaveLength(3);
    window.dispatchEvent(new Event('online'));
    // At once.
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toHaveLength(4);
    const back = await nth(4);
    back.stream().send(answer('finished'));
    await waitFor(() =>
      expect(result.current).toMatchObject({ status: 'known', error: undefined }),
    );
  }, 20_000);

  it('is well again as soon as it is connected, though there is nothing new', async () => {
    accelerateTime();
    const { nth } = statusBackend();
    const { result } = hook();
    const events = (await nth(1)).stream();
    events.send(answer('waiting'));
    await waitFor(() => expect(result.current.status).toBe('known'));
    events.end();
    (await nth(2)).fail();
    (await nth(3)).fail();
    await waitFor(() => expect(result.current.status).toBe('error'));
    window.dispatchEvent(new Event('online'));
    (await nth(4)).stream();
    await waitFor(() =>
      expect(result.current).toMatchObject({
        status: 'known',
        error: undefined,
        checkout: { progress: 'waiting' },
      }),
    );
  }, 20_000);

  it('knows nothing yet when it is connected and nothing was said', async () => {
    accelerateTime();
    const { nth } = statusBackend();
    const { result } = hook();
    (await nth(1)).fail();
    (await nth(2)).fail();
    await waitFor(() => expect(result.current.status).toBe('error'));
    window.dispatchEvent(new Event('online'));
    const events = (await nth(3)).stream();
    await waitFor(() =>
      expect(result.current).toMatchObject({ status: 'loading', error: undefined }),
    );
    events.send(answer('waiting'));
    await waitFor(() => expect(result.current.status).toBe('known'));
  }, 20_000);

  it('closes a stream that misses two heartbeats, polls, and opens another', async () => {
    const { asked, nth } = statusBackend();
    vi.useFakeTimers(fakeTimerOptions);
    const { result } = hook();
    const first = await nth(1);
    const events = first.stream();
    events.send(answer('waiting'), 7);
    await vi.advanceTimersByTimeAsync(29_000);
    events.beat();
    await vi.advanceTimersByTimeAsync(29_000);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1100);
    expect(first.init.signal?.aborted).toBe(true);
    const poll = await nth(2);
    expect(poll.path).toBe('/api/ramp/checkouts/r1');
    poll.json(answer('finished'));
    await waitFor(() => expect(result.current.checkout?.progress).toBe('finished'));
    await vi.advanceTimersByTimeAsync(2000);
    const again = await nth(3);
    expect(new Headers(again.init.headers).get('last-event-id')).toBe('7');
  }, 20_000);

  it('polls when a stream has no event for 5 seconds, and returns to one that delivers', async () => {
    const { asked, nth } = statusBackend();
    vi.useFakeTimers(fakeTimerOptions);
    const { result } = hook();
    const first = await nth(1);
    first.stream();
    await vi.advanceTimersByTimeAsync(4900);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(first.init.signal?.aborted).toBe(true);
    (await nth(2)).json(answer('waiting'));
    await waitFor(() => expect(result.current.checkout?.progress).toBe('waiting'));
    await vi.advanceTimersByTimeAsync(2000);
    const retried = await nth(3);
    expect(retried.path).toBe('/api/ramp/checkouts/r1/events');
    // The stream delivers, so no poll follows.
    retried.stream().send(answer('finished'), 8);
    await waitFor(() => expect(result.current.checkout?.progress).toBe('finished'));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(asked).toHaveLength(3);
  }, 20_000);

  it('sees a payment by polling while every stream is swallowed, with one stream open at a time', async () => {
    const { asked, nth } = statusBackend();
    vi.useFakeTimers(fakeTimerOptions);
    const { result } = hook();
    const streams = () => asked.filter(({ path }) => path.endsWith('/events'));
    for (let n = 1, polls = 0; polls < 6; n++) {
      const request = await nth(n);
      if (request.path.endsWith('/events')) request.stream();
      else request.json(answer(++polls < 6 ? 'waiting' : 'settled'));
      const open = streams().filter(({ init }) => !init.signal?.aborted);
      expect(open.length).toBeLessThan(2);
      await vi.advanceTimersByTimeAsync(1000);
      for (let second = 0; second < 6 && asked.length === n; second++)
        await vi.advanceTimersByTimeAsync(1000);
    }
    await waitFor(() => expect(result.current.checkout?.progress).toBe('settled'));
    expect(result.current.error).toBeUndefined();
    // 5 s each, with pauses of 2, 4 and 8 s between them.
    expect(streams().length).toBeLessThan(5);
  }, 20_000);

  it('polls within 5 seconds while a proxy cuts each stream after its event', async () => {
    const { asked, nth } = statusBackend();
    vi.useFakeTimers(fakeTimerOptions);
    const { result } = hook();
    const polls = () => asked.filter(({ path }) => !path.endsWith('/events'));
    for (let n = 1; polls().length === 0; n++) {
      const request = await nth(n);
      if (!request.path.endsWith('/events')) break;
      const events = request.stream();
      // With Last-Event-ID the server has nothing to repeat.
      if (n === 1) events.send(answer('waiting'), 7);
      else events.beat();
      await vi.advanceTimersByTimeAsync(10);
      events.end();
      for (let half = 0; half < 12 && asked.length === n; half++)
        await vi.advanceTimersByTimeAsync(500);
    }
    expect(streamsBefore(asked)).toBeLessThan(5);
    polls()[0]?.json(answer('settled'));
    await waitFor(() => expect(result.current.checkout?.progress).toBe('settled'));
  }, 20_000);

  it('is over when the backend says that there is no such checkout', async () => {
    accelerateTime();
    const { asked, nth } = statusBackend();
    const { result } = hook();
    const refusal = { error: { code: 'ERR_REQUEST', message: 'There is no such checkout.' } };
    (await nth(1)).json(refusal, 404);
    (await nth(2)).json(refusal, 404);
    await waitFor(() => expect(result.current.error?.code).toBe('ERR_REQUEST'));
    await new Promise((done) => setTimeout(done, 300));
    expect(asked).toHaveLength(2);
  });

  it('asks nothing without a reference, and forgets one checkout for another', async () => {
    const { asked, nth } = statusBackend();
    const { result, rerender } = hook({ of: undefined });
    await new Promise((done) => setTimeout(done, 100));
    expect(result.current.status).toBe('idle');
    expect(asked).toEqual([]);
    rerender({ of: 'r1' });
    const first = await nth(1);
    first.stream().send(answer('waiting'));
    await waitFor(() => expect(result.current.status).toBe('known'));
    rerender({ of: 'r2' });
    expect(result.current).toMatchObject({ status: 'loading', checkout: undefined });
    await nth(2);
    expect(first.init.signal?.aborted).toBe(true);
    expect(asked.map(({ path }) => path.split('/').at(-2))).toEqual(['r1', 'r2']);
  });

  it('lets go of everything on unmount', async () => {
    accelerateTime();
    const { asked, nth } = statusBackend();
    const { unmount } = hook();
    const { init, stream } = await nth(1);
    stream().send(answer('waiting'));
    unmount();
    expect(init.signal?.aborted).toBe(true);
    await new Promise((done) => setTimeout(done, 1500));
    expect(asked).toHaveLength(1);
  });

  it('warns in development about each kind of error once, with what to do', async () => {
    accelerateTime();
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { nth } = statusBackend();
    hook();
    (await nth(1)).json('<html>', 403);
    (await nth(2)).json('<html>', 403);
    await waitFor(() => expect(warn).toHaveBeenCalledOnce());
    expect(warn.mock.calls[0]?.[0]).toMatch(/ERR_RESPONSE_INVALID: .*403.*before the ramp handler/);
    const message = 'createRampHandler has no getSubject.';
    (await nth(3)).json({ error: { code: 'ERR_REQUEST', message } }, 404);
    await waitFor(() => expect(warn).toHaveBeenCalledTimes(2));
    expect(warn.mock.calls[1]?.[0]).toContain(message);
  }, 20_000);

  it('says what is missing without an api', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { result } = renderHook(() => useCheckoutStatus('r1'));
    await waitFor(() => expect(result.current.error?.code).toBe('ERR_CONFIG_INVALID'));
    await waitFor(() =>
      expect(warn.mock.calls).toEqual([[expect.stringMatching(/api is missing/)]]),
    );
  });
});
