import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createEventFeed } from '../../../../../src/server/handler/routes/events/createEventFeed.js';
import type { OrderEvent } from '../../../../../src/server/index.js';

const POLL_MS = 1000;
const BEAT_MS = 15_000;

/** A store that answers when it is told to. */
function slowStore() {
  const asked: (() => void)[] = [];
  const slow = async <Answer>(answer: Answer) => {
    await new Promise<void>((answered) => asked.push(answered));
    return answer;
  };
  return {
    lastEventId: vi.fn(() => slow(0)),
    listEventsAfter: vi.fn((): Promise<OrderEvent[]> => slow([])),
    async answer() {
      for (const answered of asked.splice(0)) answered();
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

const listener = () => ({ onEvent: vi.fn(), onHeartbeat: vi.fn() });

function made() {
  const store = slowStore();
  const feed = createEventFeed({
    store,
    read: async () => undefined,
    onError: () => {},
    pollMs: POLL_MS,
    heartbeatMs: BEAT_MS,
  });
  return { store, feed };
}

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

describe('createEventFeed', () => {
  it('leaves nothing behind of who went away before it had begun', async () => {
    const { store, feed } = made();
    const gone = listener();
    const begun = feed.subscribe('r1', gone);
    feed.unsubscribe('r1', gone);
    await store.answer();
    await begun;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('reads and beats once for who comes while it begins for one who went', async () => {
    const { store, feed } = made();
    const gone = listener();
    const one = feed.subscribe('r1', gone);
    feed.unsubscribe('r1', gone);
    const here = listener();
    const other = feed.subscribe('r1', here);
    await store.answer();
    await Promise.all([one, other]);
    await vi.advanceTimersByTimeAsync(POLL_MS);
    expect(store.listEventsAfter).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(BEAT_MS);
    expect(here.onHeartbeat).toHaveBeenCalledOnce();
    feed.unsubscribe('r1', here);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('reads once for who comes while it still reads for one who went', async () => {
    const { store, feed } = made();
    const gone = listener();
    const begun = feed.subscribe('r1', gone);
    await store.answer();
    await begun;
    await vi.advanceTimersByTimeAsync(POLL_MS);
    feed.unsubscribe('r1', gone);
    const here = listener();
    const again = feed.subscribe('r1', here);
    await store.answer();
    await again;
    store.listEventsAfter.mockClear();
    await vi.advanceTimersByTimeAsync(POLL_MS);
    expect(store.listEventsAfter).toHaveBeenCalledOnce();
    feed.unsubscribe('r1', here);
    await store.answer();
    expect(vi.getTimerCount()).toBe(0);
  });
});
