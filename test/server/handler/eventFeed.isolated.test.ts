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
});
