import { HEARTBEAT_MS } from '../../../../protocol/handler/CheckoutResponse.js';
import type { Timer } from '../../../internal/runtime.js';
import { createEventPoll, type EventPollOptions } from './createEventPoll.js';

/** The options of `createEventFeed`. */
export interface FeedOptions<State>
  extends Pick<EventPollOptions<State>, 'runtime' | 'store' | 'read' | 'onError'> {
  /** The time between two polls of the log. @default 1000 */
  readonly pollMs?: number | undefined;
  /** The time between two heartbeats. @default 15000 */
  readonly heartbeatMs?: number | undefined;
}

/** A listener to the events of one checkout. */
export interface FeedListener<State> {
  /** Is called when the checkout has changed. `id` is the id of the log entry; `state` is at least as new. */
  onEvent(id: number, state: State): void;
  /** Is called regularly, because proxies close connections that are idle. */
  onHeartbeat(): void;
}

/** The changes of checkouts, for any number of listeners. */
export interface EventFeed<State> {
  /**
   * Adds a listener to a checkout. Resolves with the id of the newest log entry; every later entry of the
   * checkout reaches the listener.
   */
  subscribe(reference: string, listener: FeedListener<State>): Promise<number>;
  /** Removes a listener. The last one stops the polling. */
  unsubscribe(reference: string, listener: FeedListener<State>): void;
  /** The number of listeners. */
  readonly size: number;
}

/**
 * Creates an event feed. While it has listeners, it reads the store's log once a second, and each changed
 * checkout once. The number of listeners does not matter.
 */
export function createEventFeed<State>(options: FeedOptions<State>): EventFeed<State> {
  const { runtime, store, read, onError, pollMs = 1000, heartbeatMs = HEARTBEAT_MS } = options;
  const listeners = new Map<string, Set<FeedListener<State>>>();
  let size = 0;
  let heartbeat: Timer | undefined;
  const log = createEventPoll<State>({
    runtime,
    store,
    read,
    onError,
    pollMs,
    listeners,
    onEvent(reference, id, state) {
      for (const listener of listeners.get(reference) ?? []) listener.onEvent(id, state);
    },
  });

  function sendHeartbeats(): void {
    for (const group of listeners.values()) for (const listener of group) listener.onHeartbeat();
  }

  function unsubscribe(reference: string, listener: FeedListener<State>): void {
    const group = listeners.get(reference);
    if (!group?.delete(listener)) return;
    if (group.size === 0) listeners.delete(reference);
    size--;
    if (size > 0) return;
    log.stop();
    runtime.clearInterval(heartbeat);
  }

  return {
    get size() {
      return size;
    },
    async subscribe(reference, listener) {
      const group = listeners.get(reference) ?? new Set();
      listeners.set(reference, group.add(listener));
      size++;
      if (size === 1) {
        heartbeat = runtime.setInterval(sendHeartbeats, heartbeatMs);
        heartbeat.unref();
      }
      try {
        return await log.start();
      } catch (error) {
        unsubscribe(reference, listener);
        throw error;
      }
    },
    unsubscribe,
  };
}
