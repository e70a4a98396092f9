import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createEventFeed } from '../../../src/server/handler/eventFeed.js';
import type { OrderEvent } from '../../../src/server/index.js';
import { processRuntime } from '../../../src/server/internal/runtime.js';

const POLL_MS = 1000;
const event = (id: number, reference = 'r'): OrderEvent => ({ id, at: 0, reference });
const listener = () => ({ onEvent: vi.fn(), onHeartbeat: vi.fn() });

/** Creates a feed with a mocked store, whose newest event has the ID `newestId`. */
function setUp(newestId = 0) {
  const lastEventId = vi.fn(async () => newestId);
  const listEventsAfter = vi.fn(async (_id: number, _limit: number): Promise<OrderEvent[]> => []);
  const read = vi.fn(async (_reference: string): Promise<string | undefined> => 'state');
  const onError = vi.fn();
  const store = {
    lastEventId,
    async listEventsAfter(id: number, limit: number) {
      const events = await listEventsAfter(id, limit);
      newestId = Math.max(newestId, ...events.map((one) => one.id));
      return events;
    },
  };
  const feed = createEventFeed({ runtime: processRuntime, store, read, onError });
  return { feed, lastEventId, listEventsAfter, read, onError };
}

function deferred<T>() {
  let resolve = (_: T) => {};
  const promise = new Promise<T>((done) => (resolve = done));
  return { promise, resolve };
}

const nextPoll = () => vi.advanceTimersByTimeAsync(POLL_MS);

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

describe('createEventFeed whose listeners left during a poll', () => {
  it('ignores the log entries of that poll', async () => {
    const { feed, lastEventId, listEventsAfter } = setUp();
    const gone = listener();
    await feed.subscribe('r', gone);
    const late = deferred<OrderEvent[]>();
    listEventsAfter.mockReturnValueOnce(late.promise);
    await nextPoll();
    feed.unsubscribe('r', gone);
    lastEventId.mockResolvedValue(5);
    const here = listener();
    expect(await feed.subscribe('r', here)).toBe(5);
    late.resolve([event(3)]);
    await nextPoll();
    await nextPoll();
    expect(here.onEvent).not.toHaveBeenCalled();
    expect(listEventsAfter).toHaveBeenLastCalledWith(5, 500);
  });

  it('ignores the state of that poll, which may be outdated', async () => {
    const { feed, listEventsAfter, read } = setUp();
    const gone = listener();
    await feed.subscribe('r', gone);
    const late = deferred<string>();
    read.mockReturnValueOnce(late.promise);
    listEventsAfter.mockResolvedValueOnce([event(1)]);
    await nextPoll();
    feed.unsubscribe('r', gone);
    const here = listener();
    await feed.subscribe('r', here);
    listEventsAfter.mockResolvedValueOnce([event(2)]);
    read.mockResolvedValueOnce('newer');
    await nextPoll();
    late.resolve('older');
    await nextPoll();
    expect(here.onEvent.mock.calls).toEqual([[2, 'newer']]);
    expect(gone.onEvent).not.toHaveBeenCalled();
  });

  it('retries a failed read although the earlier poll succeeds', async () => {
    const { feed, listEventsAfter, read, onError } = setUp();
    const gone = listener();
    await feed.subscribe('r', gone);
    const late = deferred<string>();
    read.mockReturnValueOnce(late.promise);
    listEventsAfter.mockResolvedValueOnce([event(1)]);
    await nextPoll();
    feed.unsubscribe('r', gone);
    const here = listener();
    await feed.subscribe('r', here);
    const failing = deferred<string>();
    read.mockReturnValueOnce(failing.promise.then(() => Promise.reject(new Error('down'))));
    listEventsAfter.mockResolvedValueOnce([event(2)]);
    await nextPoll();
    late.resolve('older');
    failing.resolve('');
    await nextPoll();
    expect(onError).toHaveBeenCalledOnce();
    expect(here.onEvent.mock.calls).toEqual([[2, 'state']]);
  });
});

describe('createEventFeed', () => {
  it('reads the next page immediately after a full page of the log', async () => {
    const { feed, listEventsAfter } = setUp(10);
    const here = listener();
    await feed.subscribe('r', here);
    const page = Array.from({ length: 500 }, (_, i) => event(i + 11, i ? 'other' : 'r'));
    listEventsAfter.mockResolvedValueOnce(page).mockResolvedValueOnce([event(511)]);
    await nextPoll();
    expect(listEventsAfter.mock.calls.map(([id]) => id)).toEqual([10, 510]);
    expect(here.onEvent.mock.calls.map(([id]) => id)).toEqual([11, 511]);
    await nextPoll();
    expect(listEventsAfter).toHaveBeenLastCalledWith(511, 500);
  });

  it('does not read the states of checkouts without listeners', async () => {
    const { feed, listEventsAfter, read } = setUp();
    await feed.subscribe('r', listener());
    listEventsAfter.mockResolvedValueOnce([event(1, 'other'), { id: 2, at: 0 }]);
    await nextPoll();
    expect(read).not.toHaveBeenCalled();
  });

  it('emits no event for a deleted checkout, and does not read it again', async () => {
    const { feed, listEventsAfter, read, onError } = setUp();
    const here = listener();
    await feed.subscribe('r', here);
    read.mockResolvedValueOnce(undefined);
    listEventsAfter.mockResolvedValueOnce([event(1)]);
    await nextPoll();
    await nextPoll();
    expect([here.onEvent, onError].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    expect(read).toHaveBeenCalledOnce();
  });

  it('rejects when the first read of the log fails, and restarts with the next listener', async () => {
    const { feed, lastEventId } = setUp(7);
    lastEventId.mockRejectedValueOnce(new Error('down'));
    const here = listener();
    await expect(feed.subscribe('r', here)).rejects.toThrow('down');
    expect(feed.size).toBe(0);
    expect(await feed.subscribe('r', here)).toBe(7);
    expect(feed.size).toBe(1);
    feed.unsubscribe('r', listener());
    expect(feed.size).toBe(1);
    feed.unsubscribe('r', here);
    expect([feed.size, vi.getTimerCount()]).toEqual([0, 0]);
  });
});

describe('createEventFeed on a database that was restored', () => {
  it('sends the state of all checkouts, and later changes although their numbers are lower', async () => {
    const { feed, lastEventId, listEventsAfter, read } = setUp(10);
    const listeners = { r1: listener(), r2: listener() };
    for (const [reference, one] of Object.entries(listeners)) await feed.subscribe(reference, one);
    read.mockImplementation(async (reference) => `state of ${reference}`);
    // The feed has seen event 10, but the restored backup ends with event 6.
    lastEventId.mockResolvedValue(6);
    await nextPoll();
    expect(listeners.r1.onEvent.mock.calls).toEqual([[6, 'state of r1']]);
    expect(listeners.r2.onEvent.mock.calls).toEqual([[6, 'state of r2']]);
    listEventsAfter.mockImplementation(async (id) => (id < 7 ? [event(7, 'r1')] : []));
    lastEventId.mockResolvedValue(7);
    await nextPoll();
    expect(listeners.r1.onEvent.mock.calls[1]).toEqual([7, 'state of r1']);
    expect(listeners.r2.onEvent).toHaveBeenCalledOnce();
  });

  it('reads at most 50 states at the same time', async () => {
    const { feed, lastEventId, read } = setUp(10);
    for (let i = 0; i < 120; i++) await feed.subscribe(`r${i}`, listener());
    let reading = 0;
    let most = 0;
    read.mockImplementation(async () => {
      most = Math.max(most, ++reading);
      await Promise.resolve();
      reading--;
      return 'state';
    });
    lastEventId.mockResolvedValue(6);
    await nextPoll();
    expect([read.mock.calls.length, most]).toEqual([120, 50]);
  });
});
