import { HEARTBEAT_MS } from '../../protocol/handler/heartbeat.js';
import type { OrderRecordStore } from '../orders/store/OrderRecordStore.js';

export interface FeedOptions<State> {
  readonly store: Pick<OrderRecordStore, 'listEventsAfter' | 'lastEventId'>;
  /** How a checkout is now; nothing when it is gone. */
  readonly read: (reference: string) => Promise<State | undefined>;
  readonly onError: (error: unknown) => void;
  /** @default 1000 */
  readonly pollMs?: number;
  /** @default 15000 */
  readonly heartbeatMs?: number;
}

/** Who listens to one checkout. */
export interface FeedListener<State> {
  /** Something happened to it; `id` is that of the log's entry, `state` how it is since then. */
  onEvent(id: number, state: State): void;
  /** Nothing did, for a while: proxies close what says nothing. */
  onHeartbeat(): void;
}

export interface EventFeed<State> {
  /**
   * Listens to a checkout, from now on. Resolves once nothing is missed any more, with the newest entry of
   * the log.
   */
  subscribe(reference: string, listener: FeedListener<State>): Promise<number>;
  unsubscribe(reference: string, listener: FeedListener<State>): void;
  readonly size: number;
}

const LIMIT = 500;

/**
 * Reads the log of the store once a second while somebody listens, whoever wrote it: another instance
 * may have. However many listen, it is read once, and so is each checkout that something happened to.
 */
export function createEventFeed<State>(settings: FeedOptions<State>): EventFeed<State> {
  const { store, read, onError, pollMs = 1000, heartbeatMs = HEARTBEAT_MS } = settings;
  const listeners = new Map<string, Set<FeedListener<State>>>();
  let size = 0;
  let cursor = 0;
  let begun: Promise<number> | undefined;
  /** Which reading of the log it is: one that was ended must not go on beside the next. */
  let current = 0;
  /** What happened last to checkouts that could not be read yet. */
  const unsent = new Map<string, number>();
  let polling: ReturnType<typeof setTimeout> | undefined;
  let beating: ReturnType<typeof setInterval> | undefined;

  async function notify(mine: number, reference: string, id: number): Promise<void> {
    const isHeard = listeners.has(reference);
    try {
      const state = isHeard ? await read(reference) : undefined;
      // All listeners left meanwhile. Those of the next reading may know a newer state already.
      if (mine !== current) return;
      unsent.delete(reference);
      if (state === undefined) return;
      for (const listener of listeners.get(reference) ?? []) listener.onEvent(id, state);
    } catch (error) {
      onError(error);
    }
  }

  async function poll(mine: number): Promise<void> {
    try {
      for (let isMore = true; isMore && mine === current; ) {
        const events = await store.listEventsAfter(cursor, LIMIT);
        if (mine !== current) return;
        for (const { id, reference = '' } of events) {
          cursor = id;
          if (listeners.has(reference)) unsent.set(reference, id);
        }
        await Promise.all([...unsent].map(([reference, id]) => notify(mine, reference, id)));
        isMore = events.length === LIMIT;
      }
    } catch (error) {
      onError(error);
    }
    if (mine === current) schedulePoll(mine);
  }

  function schedulePoll(mine: number): void {
    polling = setTimeout(poll, pollMs, mine);
    polling.unref();
  }

  /** The first to come says where to begin; who comes later misses nothing by it. */
  async function startPolling(): Promise<number> {
    const mine = ++current;
    const last = await store.lastEventId();
    if (mine !== current) return last;
    cursor = last;
    schedulePoll(mine);
    beating = setInterval(() => {
      for (const group of listeners.values()) for (const listener of group) listener.onHeartbeat();
    }, heartbeatMs);
    beating.unref();
    return cursor;
  }

  function stopPolling(): void {
    current++;
    begun = undefined;
    unsent.clear();
    clearTimeout(polling);
    clearInterval(beating);
  }

  return {
    get size() {
      return size;
    },
    async subscribe(reference, listener) {
      const group = listeners.get(reference) ?? new Set();
      listeners.set(reference, group.add(listener));
      size++;
      begun ??= startPolling();
      try {
        await begun;
      } catch (error) {
        this.unsubscribe(reference, listener);
        throw error;
      }
      return cursor;
    },
    unsubscribe(reference, listener) {
      const group = listeners.get(reference);
      if (!group?.delete(listener)) return;
      if (group.size === 0) listeners.delete(reference);
      size--;
      if (size === 0) stopPolling();
    },
  };
}
