import { cleanup, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { accelerateTime, fakeTimerOptions } from '../../support/browser/accelerateTime.js';
import {
  createNftResponse,
  renderCheckoutStatus,
} from '../../support/browser/renderCheckoutStatus.js';
import { statusBackend } from '../../support/browser/statusBackend.js';

/** Returns how many streams were opened before the first poll. */
const streamsBefore = (requests: readonly { readonly path: string }[]) =>
  requests.findIndex(({ path }) => !path.endsWith('/events'));

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('useCheckoutStatus with an unreliable connection', () => {
  it('keeps the last state with an error while the connection is lost, and recovers with it', async () => {
    const { requests, nth } = statusBackend();
    const { result } = renderCheckoutStatus();
    const events = (await nth(1)).stream();
    events.send(createNftResponse('waiting'));
    await waitFor(() => expect(result.current.status).toBe('success'));
    vi.useFakeTimers(fakeTimerOptions);
    events.end();
    await vi.advanceTimersByTimeAsync(1000);
    (await nth(2)).fail();
    await vi.advanceTimersByTimeAsync(2000);
    (await nth(3)).fail();
    await waitFor(() => expect(result.current.status).toBe('error'));
    expect(result.current).toMatchObject({
      error: { code: 'ERR_NETWORK' },
      data: { progress: 'waiting' },
    });
    expect(requests).toHaveLength(3);
    window.dispatchEvent(new Event('online'));
    // The page reconnects without a pause.
    await vi.advanceTimersByTimeAsync(0);
    expect(requests).toHaveLength(4);
    const back = await nth(4);
    back.stream().send(createNftResponse('finished'));
    await waitFor(() =>
      expect(result.current).toMatchObject({ status: 'success', error: undefined }),
    );
  }, 20_000);

  it('clears the error when it is connected again, without a new event', async () => {
    accelerateTime();
    const { nth } = statusBackend();
    const { result } = renderCheckoutStatus();
    const events = (await nth(1)).stream();
    events.send(createNftResponse('waiting'));
    await waitFor(() => expect(result.current.status).toBe('success'));
    events.end();
    (await nth(2)).fail();
    (await nth(3)).fail();
    await waitFor(() => expect(result.current.status).toBe('error'));
    window.dispatchEvent(new Event('online'));
    (await nth(4)).stream();
    await waitFor(() =>
      expect(result.current).toMatchObject({
        status: 'success',
        error: undefined,
        data: { progress: 'waiting' },
      }),
    );
  }, 20_000);

  it('is loading when it is connected before the first event', async () => {
    accelerateTime();
    const { nth } = statusBackend();
    const { result } = renderCheckoutStatus();
    (await nth(1)).fail();
    (await nth(2)).fail();
    await waitFor(() => expect(result.current.status).toBe('error'));
    window.dispatchEvent(new Event('online'));
    const events = (await nth(3)).stream();
    await waitFor(() =>
      expect(result.current).toMatchObject({ status: 'loading', error: undefined }),
    );
    events.send(createNftResponse('waiting'));
    await waitFor(() => expect(result.current.status).toBe('success'));
  }, 20_000);

  it('closes a stream that misses two heartbeats, polls, and opens another', async () => {
    const { requests, nth } = statusBackend();
    vi.useFakeTimers(fakeTimerOptions);
    const { result } = renderCheckoutStatus();
    const first = await nth(1);
    const events = first.stream();
    events.send(createNftResponse('waiting'), 7);
    await vi.advanceTimersByTimeAsync(29_000);
    events.beat();
    await vi.advanceTimersByTimeAsync(29_000);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1100);
    expect(first.init.signal?.aborted).toBe(true);
    const poll = await nth(2);
    expect(poll.path).toBe('/api/ramp/checkouts/r1');
    poll.json(createNftResponse('finished'));
    await waitFor(() => expect(result.current.data?.progress).toBe('finished'));
    await vi.advanceTimersByTimeAsync(2000);
    const again = await nth(3);
    expect(new Headers(again.init.headers).get('last-event-id')).toBe('7');
  }, 20_000);

  it('polls when a stream has no event for 5 seconds, and stops when a stream delivers', async () => {
    const { requests, nth } = statusBackend();
    vi.useFakeTimers(fakeTimerOptions);
    const { result } = renderCheckoutStatus();
    const first = await nth(1);
    first.stream();
    await vi.advanceTimersByTimeAsync(4900);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(first.init.signal?.aborted).toBe(true);
    (await nth(2)).json(createNftResponse('waiting'));
    await waitFor(() => expect(result.current.data?.progress).toBe('waiting'));
    await vi.advanceTimersByTimeAsync(2000);
    const retried = await nth(3);
    expect(retried.path).toBe('/api/ramp/checkouts/r1/events');
    // The stream delivers, so no poll follows.
    retried.stream().send(createNftResponse('finished'), 8);
    await waitFor(() => expect(result.current.data?.progress).toBe('finished'));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(requests).toHaveLength(3);
  }, 20_000);

  it('detects a payment by polling while a proxy buffers every stream, with one stream open at a time', async () => {
    const { requests, nth } = statusBackend();
    vi.useFakeTimers(fakeTimerOptions);
    const { result } = renderCheckoutStatus();
    const streams = () => requests.filter(({ path }) => path.endsWith('/events'));
    for (let n = 1, polls = 0; polls < 6; n++) {
      const request = await nth(n);
      if (request.path.endsWith('/events')) request.stream();
      else request.json(createNftResponse(++polls < 6 ? 'waiting' : 'settled'));
      const open = streams().filter(({ init }) => !init.signal?.aborted);
      expect(open.length).toBeLessThan(2);
      await vi.advanceTimersByTimeAsync(1000);
      for (let second = 0; second < 6 && requests.length === n; second++)
        await vi.advanceTimersByTimeAsync(1000);
    }
    await waitFor(() => expect(result.current.data?.progress).toBe('settled'));
    expect(result.current.error).toBeUndefined();
    // Each stream is closed after 5 s without an event. The pauses between the streams are 2, 4 and 8 s.
    expect(streams().length).toBeLessThan(5);
  }, 20_000);

  it('polls within 5 seconds while a proxy cuts each stream after its event', async () => {
    const { requests, nth } = statusBackend();
    vi.useFakeTimers(fakeTimerOptions);
    const { result } = renderCheckoutStatus();
    const polls = () => requests.filter(({ path }) => !path.endsWith('/events'));
    for (let n = 1; polls().length === 0; n++) {
      const request = await nth(n);
      if (!request.path.endsWith('/events')) break;
      const events = request.stream();
      // A reconnect sends Last-Event-ID, so the server does not repeat the event and sends only a heartbeat.
      if (n === 1) events.send(createNftResponse('waiting'), 7);
      else events.beat();
      await vi.advanceTimersByTimeAsync(10);
      events.end();
      for (let half = 0; half < 12 && requests.length === n; half++)
        await vi.advanceTimersByTimeAsync(500);
    }
    expect(streamsBefore(requests)).toBeLessThan(5);
    polls()[0]?.json(createNftResponse('settled'));
    await waitFor(() => expect(result.current.data?.progress).toBe('settled'));
  }, 20_000);
});
