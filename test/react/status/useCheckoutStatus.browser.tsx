import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type CheckoutAnswer, RampProvider, useCheckoutStatus } from '../../../src/index.js';
import { answerOf, statusBackend } from '../../support/status-backend.js';

const answer = (progress: CheckoutAnswer['progress'], widget: CheckoutAnswer['widget'] = 'nft') =>
  answerOf({ progress, widget });

const wrapper = ({ children }: { children: ReactNode }) => (
  <RampProvider api="/api/ramp/" headers={{ 'X-Token': 't' }} credentials="include">
    {children}
  </RampProvider>
);
const hook = (initialProps: { of: string | undefined } = { of: 'r1' }) =>
  renderHook(({ of }) => useCheckoutStatus(of), { wrapper, initialProps });

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('useCheckoutStatus', () => {
  it('follows a checkout by events until it is over, with headers and credentials', async () => {
    const { asked, nth } = statusBackend();
    const { result } = hook();
    expect(result.current).toMatchObject({ status: 'loading', answer: undefined });
    const { path, init, stream } = await nth(1);
    expect(path).toBe('/api/ramp/checkouts/r1/events');
    expect(init.credentials).toBe('include');
    expect(new Headers(init.headers).get('x-token')).toBe('t');
    const events = stream();
    for (const progress of ['waiting', 'finished', 'settlement', 'settled'] as const) {
      act(() => events.send(answer(progress)));
      await waitFor(() => expect(result.current.answer?.progress).toBe(progress));
    }
    expect(result.current.status).toBe('known');
    expect(asked).toHaveLength(1);
    expect(init.signal?.aborted).toBe(true);
  });

  it('comes back to a stream that ended, and says what it has seen', async () => {
    const { nth } = statusBackend();
    const { result } = hook();
    const first = (await nth(1)).stream();
    first.send(answer('waiting'), 41);
    await waitFor(() => expect(result.current.answer?.progress).toBe('waiting'));
    first.end();
    const again = await nth(2);
    expect(new Headers(again.init.headers).get('last-event-id')).toBe('41');
    again.stream().send(answer('finished', 'on-ramp'), 42);
    await waitFor(() => expect(result.current.answer?.progress).toBe('finished'));
  });

  it('asks from time to time where no stream arrives', async () => {
    const { nth } = statusBackend();
    const { result } = hook();
    (await nth(1)).json({ error: { code: 'ERR_REQUEST', message: 'Too many streams.' } }, 429);
    const second = await nth(2);
    expect(second.path).toBe('/api/ramp/checkouts/r1');
    second.json(answer('waiting'));
    await waitFor(() => expect(result.current.answer?.progress).toBe('waiting'));
    (await nth(3)).json(answer('settled'));
    await waitFor(() => expect(result.current.answer?.progress).toBe('settled'));
  }, 20_000);

  it('asks again later where it was asked too often', async () => {
    const { nth } = statusBackend();
    const { result } = hook();
    const refusal = { error: { code: 'ERR_REQUEST', message: 'Too many questions.' } };
    (await nth(1)).json(refusal, 429);
    (await nth(2)).json(refusal, 429);
    (await nth(3)).json(answer('settled'));
    await waitFor(() => expect(result.current.answer?.progress).toBe('settled'));
    expect(result.current.error).toBeUndefined();
  }, 20_000);

  it('asks at once by retry, and keeps what it knows', async () => {
    const { asked, nth } = statusBackend();
    const { result } = hook();
    (await nth(1)).stream().send(answer('waiting'));
    await waitFor(() => expect(result.current.status).toBe('known'));
    act(() => result.current.retry());
    expect(result.current.answer?.progress).toBe('waiting');
    (await nth(2)).stream().send(answer('settled'));
    await waitFor(() => expect(result.current.answer?.progress).toBe('settled'));
    expect(asked[0]?.init.signal?.aborted).toBe(true);
  });

  it('keeps what it knows while the connection is lost, says so, and comes back with it', async () => {
    const { asked, nth } = statusBackend();
    const { result } = hook();
    const events = (await nth(1)).stream();
    events.send(answer('waiting'));
    await waitFor(() => expect(result.current.status).toBe('known'));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    events.end();
    await vi.advanceTimersByTimeAsync(1000);
    (await nth(2)).fail();
    await vi.advanceTimersByTimeAsync(2000);
    (await nth(3)).fail();
    await waitFor(() => expect(result.current.status).toBe('error'));
    expect(result.current).toMatchObject({
      error: { code: 'ERR_NETWORK' },
      answer: { progress: 'waiting' },
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
    const { nth } = statusBackend();
    const { result } = hook();
    const events = (await nth(1)).stream();
    events.send(answer('waiting'));
    await waitFor(() => expect(result.current.status).toBe('known'));
    events.end();
    (await nth(2)).fail();
    (await nth(3)).fail();
    await waitFor(() => expect(result.current.status).toBe('error'), { timeout: 8000 });
    window.dispatchEvent(new Event('online'));
    (await nth(4)).stream();
    await waitFor(() =>
      expect(result.current).toMatchObject({
        status: 'known',
        error: undefined,
        answer: { progress: 'waiting' },
      }),
    );
  }, 20_000);

  it('knows nothing yet when it is connected and nothing was said', async () => {
    const { nth } = statusBackend();
    const { result } = hook();
    (await nth(1)).fail();
    (await nth(2)).fail();
    await waitFor(() => expect(result.current.status).toBe('error'), { timeout: 8000 });
    window.dispatchEvent(new Event('online'));
    const events = (await nth(3)).stream();
    await waitFor(() =>
      expect(result.current).toMatchObject({ status: 'loading', error: undefined }),
    );
    events.send(answer('waiting'));
    await waitFor(() => expect(result.current.status).toBe('known'));
  }, 20_000);

  it('leaves a stream that has said nothing for long, as after a sleep, and opens another', async () => {
    const { asked, nth } = statusBackend();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    hook();
    const first = await nth(1);
    const events = first.stream();
    events.send(answer('waiting'), 7);
    await vi.advanceTimersByTimeAsync(44_000);
    events.beat();
    await vi.advanceTimersByTimeAsync(44_000);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(first.init.signal?.aborted).toBe(true);
    const again = await nth(2);
    expect(new Headers(again.init.headers).get('last-event-id')).toBe('7');
  }, 20_000);

  it('is over when the backend says that there is no such checkout', async () => {
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
    expect(result.current).toMatchObject({ status: 'loading', answer: undefined });
    await nth(2);
    expect(first.init.signal?.aborted).toBe(true);
    expect(asked.map(({ path }) => path.split('/').at(-2))).toEqual(['r1', 'r2']);
  });

  it('lets go of everything on unmount', async () => {
    const { asked, nth } = statusBackend();
    const { unmount } = hook();
    const { init, stream } = await nth(1);
    stream().send(answer('waiting'));
    unmount();
    expect(init.signal?.aborted).toBe(true);
    await new Promise((done) => setTimeout(done, 1500));
    expect(asked).toHaveLength(1);
  });

  it('says what is missing without an api', async () => {
    const { result } = renderHook(() => useCheckoutStatus('r1'));
    await waitFor(() => expect(result.current.error?.code).toBe('ERR_CONFIG_INVALID'));
  });
});
