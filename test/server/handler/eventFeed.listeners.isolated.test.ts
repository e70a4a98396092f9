import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createEventFeed } from '../../../src/server/handler/eventFeed.js';
import type { OrderEvent } from '../../../src/server/index.js';
import { processRuntime } from '../../../src/server/internal/runtime.js';

const POLL_MS = 1000;
const BEAT_MS = 15_000;

/** Creates a store whose calls stay pending until the test resolves them. */
function slowStore() {
  const pending: (() => void)[] = [];
  const slow = async <Result>(result: Result) => {
    await new Promise<void>((resolve) => pending.push(resolve));
    return result;
  };
  return {
    lastEventId: vi.fn(() => slow(0)),
    listEventsAfter: vi.fn((): Promise<OrderEvent[]> => slow([])),
    async respond() {
      for (const resolve of pending.splice(0)) resolve();
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

const listener = () => ({ onEvent: vi.fn(), onHeartbeat: vi.fn() });

function setUp() {
  const store = slowStore();
  const feed = createEventFeed({
    runtime: processRuntime,
    store,
    read: async () => undefined,
    onError: () => {},
  });
  return { store, feed };
}

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

describe('createEventFeed', () => {
  it('removes a listener that unsubscribes before the feed has started', async () => {
    const { store, feed } = setUp();
    const gone = listener();
    const begun = feed.subscribe('r1', gone);
    feed.unsubscribe('r1', gone);
    await store.respond();
    await begun;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('starts once when a listener joins while the feed starts for a listener that has left', async () => {
    const { store, feed } = setUp();
    const gone = listener();
    const one = feed.subscribe('r1', gone);
    feed.unsubscribe('r1', gone);
    const here = listener();
    const other = feed.subscribe('r1', here);
    await store.respond();
    await Promise.all([one, other]);
    await vi.advanceTimersByTimeAsync(POLL_MS);
    expect(store.listEventsAfter).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(BEAT_MS);
    expect(here.onHeartbeat).toHaveBeenCalledOnce();
    feed.unsubscribe('r1', here);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('polls once when a listener joins during a poll for a listener that has left', async () => {
    const { store, feed } = setUp();
    const gone = listener();
    const begun = feed.subscribe('r1', gone);
    await store.respond();
    await begun;
    await vi.advanceTimersByTimeAsync(POLL_MS);
    feed.unsubscribe('r1', gone);
    const here = listener();
    const again = feed.subscribe('r1', here);
    await store.respond();
    await again;
    store.listEventsAfter.mockClear();
    await vi.advanceTimersByTimeAsync(POLL_MS);
    expect(store.listEventsAfter).toHaveBeenCalledOnce();
    feed.unsubscribe('r1', here);
    await store.respond();
    expect(vi.getTimerCount()).toBe(0);
  });
});
