import type { OrderStore } from './OrderStore.js';

export interface FeedSettings {
  readonly store: Pick<OrderStore, 'eventsAfter' | 'lastEventId'>;
  readonly onError: (error: unknown) => void;
  /** @default 1000 */
  readonly pollMs?: number;
  /** @default 15000 */
  readonly beatMs?: number;
}

/** Who listens to one checkout. */
export interface FeedListener {
  /** Something happened to it; `id` is that of the log's entry. */
  onEvent(id: number): void;
  /** Nothing did, for a while: proxies close what says nothing. */
  onBeat(): void;
}

export interface EventFeed {
  /**
   * Listens to a checkout, from now on. Resolves once nothing is missed any more, with the newest entry of
   * the log.
   */
  listen(reference: string, listener: FeedListener): Promise<number>;
  leave(reference: string, listener: FeedListener): void;
  readonly size: number;
}

const LIMIT = 500;

/**
 * Reads the log of the store once a second while somebody listens, whoever wrote it: another instance
 * may have. However many listen, it is read once.
 */
export function createEventFeed(settings: FeedSettings): EventFeed {
  const { store, onError, pollMs = 1000, beatMs = 15_000 } = settings;
  const listeners = new Map<string, Set<FeedListener>>();
  let size = 0;
  let cursor = 0;
  let begun: Promise<number> | undefined;
  let polling: ReturnType<typeof setTimeout> | undefined;
  let beating: ReturnType<typeof setInterval> | undefined;

  async function poll(): Promise<void> {
    try {
      for (let isMore = true; isMore; ) {
        const events = await store.eventsAfter(cursor, LIMIT);
        for (const { id, reference } of events) {
          cursor = id;
          for (const listener of listeners.get(reference ?? '') ?? []) listener.onEvent(id);
        }
        isMore = events.length === LIMIT;
      }
    } catch (error) {
      onError(error);
    }
    if (size > 0) plan();
  }

  function plan(): void {
    polling = setTimeout(poll, pollMs);
    polling.unref();
  }

  /** The first to come says where to begin; who comes later misses nothing by it. */
  async function begin(): Promise<number> {
    cursor = await store.lastEventId();
    plan();
    beating = setInterval(() => {
      for (const group of listeners.values()) for (const listener of group) listener.onBeat();
    }, beatMs);
    beating.unref();
    return cursor;
  }

  function end(): void {
    begun = undefined;
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
