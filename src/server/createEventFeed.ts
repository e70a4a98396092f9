import { HEARTBEAT_MS } from '../protocol/handler-timing.js';
import type { OrderStore } from './OrderStore.js';

export interface FeedSettings<State> {
  readonly store: Pick<OrderStore, 'eventsAfter' | 'lastEventId'>;
  /** How a checkout is now; nothing when it is gone. */
  readonly read: (reference: string) => Promise<State | undefined>;
  readonly onError: (error: unknown) => void;
  /** @default 1000 */
  readonly pollMs?: number;
  /** @default 15000 */
  readonly beatMs?: number;
}

/** Who listens to one checkout. */
export interface FeedListener<State> {
  /** Something happened to it; `id` is that of the log's entry, `state` how it is since then. */
  onEvent(id: number, state: State): void;
  /** Nothing did, for a while: proxies close what says nothing. */
  onBeat(): void;
}

export interface EventFeed<State> {
  /**
   * Listens to a checkout, from now on. Resolves once nothing is missed any more, with the newest entry of
   * the log.
   */
  listen(reference: string, listener: FeedListener<State>): Promise<number>;
  leave(reference: string, listener: FeedListener<State>): void;
  readonly size: number;
}

const LIMIT = 500;

/**
 * Reads the log of the store once a second while somebody listens, whoever wrote it: another instance
 * may have. However many listen, it is read once, and so is each checkout that something happened to.
 */
export function createEventFeed<State>(settings: FeedSettings<State>): EventFeed<State> {
  const { store, read, onError, pollMs = 1000, beatMs = HEARTBEAT_MS } = settings;
  const listeners = new Map<string, Set<FeedListener<State>>>();
  let size = 0;
  let cursor = 0;
  let begun: Promise<number> | undefined;
  /** Which reading of the log it is: one that was ended must not go on beside the next. */
  let current = 0;
  /** What happened last to checkouts that could not be read yet. */
  const untold = new Map<string, number>();
  let polling: ReturnType<typeof setTimeout> | undefined;
  let beating: ReturnType<typeof setInterval> | undefined;

  async function tell(mine: number, reference: string, id: number): Promise<void> {
    const isHeard = listeners.has(reference);
    try {
      const state = isHeard ? await read(reference) : undefined;
      // All listeners left meanwhile. Those of the next reading may know a newer state already.
      if (mine !== current) return;
      untold.delete(reference);
      if (state === undefined) return;
      for (const listener of listeners.get(reference) ?? []) listener.onEvent(id, state);
    } catch (error) {
      onError(error);
    }
  }

  async function poll(mine: number): Promise<void> {
    try {
      for (let isMore = true; isMore && mine === current; ) {
        const events = await store.eventsAfter(cursor, LIMIT);
        if (mine !== current) return;
        for (const { id, reference = '' } of events) {
          cursor = id;
          if (listeners.has(reference)) untold.set(reference, id);
        }
        await Promise.all([...untold].map(([reference, id]) => tell(mine, reference, id)));
        isMore = events.length === LIMIT;
      }
    } catch (error) {
      onError(error);
    }
    if (mine === current) plan(mine);
  }

  function plan(mine: number): void {
    polling = setTimeout(poll, pollMs, mine);
    polling.unref();
  }

  /** The first to come says where to begin; who comes later misses nothing by it. */
  async function begin(): Promise<number> {
    const mine = ++current;
    const last = await store.lastEventId();
    if (mine !== current) return last;
    cursor = last;
    plan(mine);
    beating = setInterval(() => {
      for (const group of listeners.values()) for (const listener of group) listener.onBeat();
    }, beatMs);
    beating.unref();
    return cursor;
  }

  function end(): void {
    current++;
    begun = undefined;
    untold.clear();
    clearTimeout(polling);
    clearInterval(beating);
  }

  return {
    get size() {
      return size;
    },
    async listen(reference, listener) {
      const group = listeners.get(reference) ?? new Set();
      listeners.set(reference, group.add(listener));
      size++;
      begun ??= begin();
      try {
        await begun;
      } catch (error) {
        this.leave(reference, listener);
        throw error;
      }
      return cursor;
    },
    leave(reference, listener) {
      const group = listeners.get(reference);
      if (!group?.delete(listener)) return;
      if (group.size === 0) listeners.delete(reference);
      size--;
      if (size === 0) end();
    },
  };
}
