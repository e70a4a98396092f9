import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEventFeed } from '../../src/server/createEventFeed.js';
import type { OrderEvent } from '../../src/server/index.js';

const listener = () => ({ onEvent: vi.fn(), onBeat: vi.fn() });

describe('a feed', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const made = () => {
    const eventsAfter = vi.fn(async (): Promise<OrderEvent[]> => []);
    const read = vi.fn(async (reference: string): Promise<string | undefined> => reference);
    const onError = vi.fn();
    const store = { eventsAfter, lastEventId: async () => 0 };
    return { eventsAfter, read, onError, feed: createEventFeed({ store, read, onError }) };
  };

  it('reads the log once a second also when all have gone and come back while it was read', async () => {
    const { feed, eventsAfter } = made();
    for (let i = 0; i < 5; i++) {
      let finish = (_: OrderEvent[]) => {};
      eventsAfter.mockImplementationOnce(() => new Promise((done) => (finish = done)));
      const [gone, back] = [listener(), listener()];
      await feed.listen('r', gone);
      await vi.advanceTimersByTimeAsync(1000);
      feed.leave('r', gone);
      await feed.listen('r', back);
      finish([]);
      await vi.advanceTimersByTimeAsync(0);
      if (i < 4) feed.leave('r', back);
    }
    eventsAfter.mockClear();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(eventsAfter).toHaveBeenCalledTimes(10);
  });

  it('tells of what it could not read at the next reading, of others at once, and of nothing twice', async () => {
    const { feed, eventsAfter, read, onError } = made();
    const [one, other] = [listener(), listener()];
    await feed.listen('r1', one);
    await feed.listen('r2', other);
    read.mockImplementationOnce(() => Promise.reject(new Error('down')));
    eventsAfter.mockResolvedValueOnce([
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
