import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEventFeed } from '../../../src/server/handler/eventFeed.js';
import type { OrderEvent } from '../../../src/server/index.js';
import { processRuntime } from '../../../src/server/internal/runtime.js';

const listener = () => ({ onEvent: vi.fn(), onHeartbeat: vi.fn() });

describe('createEventFeed', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const setUp = () => {
    const listEventsAfter = vi.fn(async (): Promise<OrderEvent[]> => []);
    const read = vi.fn(async (reference: string): Promise<string | undefined> => reference);
    const onError = vi.fn();
    const store = { listEventsAfter, lastEventId: async () => 2 };
    return {
      listEventsAfter,
      read,
      onError,
      feed: createEventFeed({ runtime: processRuntime, store, read, onError }),
    };
  };

  it('reads the log once a second after all listeners left and rejoined during a poll', async () => {
    const { feed, listEventsAfter } = setUp();
    for (let i = 0; i < 5; i++) {
      let finish = (_: OrderEvent[]) => {};
      listEventsAfter.mockImplementationOnce(() => new Promise((done) => (finish = done)));
      const [gone, back] = [listener(), listener()];
      await feed.subscribe('r', gone);
      await vi.advanceTimersByTimeAsync(1000);
      feed.unsubscribe('r', gone);
      await feed.subscribe('r', back);
      finish([]);
      await vi.advanceTimersByTimeAsync(0);
      if (i < 4) feed.unsubscribe('r', back);
    }
    listEventsAfter.mockClear();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(listEventsAfter).toHaveBeenCalledTimes(10);
  });

  it('emits a failed read at the next poll, other changes immediately, and none twice', async () => {
    const { feed, listEventsAfter, read, onError } = setUp();
    const [one, other] = [listener(), listener()];
    await feed.subscribe('r1', one);
    await feed.subscribe('r2', other);
    read.mockImplementationOnce(() => Promise.reject(new Error('down')));
    listEventsAfter.mockResolvedValueOnce([
      { id: 1, at: 0, reference: 'r1' },
      { id: 2, at: 0, reference: 'r2' },
    ]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(other.onEvent.mock.calls).toEqual([[2, 'r2']]);
    expect(one.onEvent).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(5000);
    expect(one.onEvent.mock.calls).toEqual([[1, 'r1']]);
    expect(other.onEvent).toHaveBeenCalledOnce();
    expect(onError).toHaveBeenCalledOnce();
  });

  describe('with a store that reports its writes', () => {
    const setUpWrites = () => {
      const listeners = new Set<() => void>();
      const { listEventsAfter, read, onError } = setUp();
      const store = {
        listEventsAfter,
        lastEventId: vi.fn(async () => 2),
        onRecorded(listener: () => void) {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
      };
      const write = () => {
        for (const listen of listeners) listen();
      };
      const feed = createEventFeed({ runtime: processRuntime, store, read, onError });
      return { feed, store, listeners, listEventsAfter, write };
    };

    it('reads the log once, 10 ms after a burst of writes, and then once a second again', async () => {
      const { feed, listEventsAfter, write } = setUpWrites();
      const here = listener();
      await feed.subscribe('r', here);
      listEventsAfter.mockResolvedValueOnce([{ id: 3, at: 0, reference: 'r' }]);
      for (let i = 0; i < 9; i++) {
        write();
        await vi.advanceTimersByTimeAsync(1);
      }
      expect(listEventsAfter).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(here.onEvent.mock.calls).toEqual([[3, 'r']]);
      await vi.advanceTimersByTimeAsync(999);
      expect(listEventsAfter).toHaveBeenCalledOnce();
      await vi.advanceTimersByTimeAsync(1);
      expect(listEventsAfter).toHaveBeenCalledTimes(2);
    });

    it('reads the log again after a write during a read, never twice at the same time', async () => {
      const { feed, listEventsAfter, write } = setUpWrites();
      await feed.subscribe('r', listener());
      let finish = (_: OrderEvent[]) => {};
      listEventsAfter.mockImplementationOnce(() => new Promise((done) => (finish = done)));
      write();
      await vi.advanceTimersByTimeAsync(10);
      write();
      await vi.advanceTimersByTimeAsync(5000);
      expect(listEventsAfter).toHaveBeenCalledOnce();
      finish([]);
      await vi.advanceTimersByTimeAsync(10);
      expect(listEventsAfter).toHaveBeenCalledTimes(2);
    });

    it('reads the log soon after a write while the feed starts', async () => {
      const { feed, store, listEventsAfter, write } = setUpWrites();
      let start = (_: number) => {};
      store.lastEventId.mockImplementationOnce(() => new Promise((done) => (start = done)));
      const subscribed = feed.subscribe('r', listener());
      write();
      start(2);
      await subscribed;
      await vi.advanceTimersByTimeAsync(10);
      expect(listEventsAfter).toHaveBeenCalledOnce();
    });

    it('listens to the store only while the feed has listeners', async () => {
      const { feed, store, listeners, listEventsAfter, write } = setUpWrites();
      const [one, other] = [listener(), listener()];
      for (let i = 0; i < 3; i++) {
        await feed.subscribe('r', one);
        await feed.subscribe('r', other);
        expect(listeners.size).toBe(1);
        write();
        feed.unsubscribe('r', one);
        feed.unsubscribe('r', other);
        expect(listeners.size).toBe(0);
      }
      store.lastEventId.mockRejectedValueOnce(new Error('down'));
      await expect(feed.subscribe('r', one)).rejects.toThrow('down');
      expect([listeners.size, vi.getTimerCount()]).toEqual([0, 0]);
      await vi.advanceTimersByTimeAsync(5000);
      expect(listEventsAfter).not.toHaveBeenCalled();
    });
  });
});
