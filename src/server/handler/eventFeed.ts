import { HEARTBEAT_MS } from '../../protocol/handler/CheckoutResponse.js';
import type { Runtime, Timer } from '../internal/runtime.js';
import type { OrderRecordStore } from '../orders/store/OrderStore.js';

interface FeedOptions<State> {
  readonly runtime: Runtime;
  readonly store: Pick<OrderRecordStore, 'listEventsAfter' | 'lastEventId' | 'onRecorded'>;
  /** Resolves with the current state of a checkout, or undefined when it was deleted. */
  readonly read: (reference: string) => Promise<State | undefined>;
  readonly onError: (error: unknown) => void;
}

export interface FeedListener<State> {
  /**
   * Is called when the checkout has changed. `id` is the id of a log entry, and `state` is at least as new as that
   * entry.
   */
  onEvent(id: number, state: State): void;
  /** Is called regularly, because proxies close connections that are idle. */
  onHeartbeat(): void;
}

export interface EventFeed<State> {
  /**
   * Adds a listener to a checkout. Resolves with the id of the newest log entry that was read. The listener is called
   * for later entries of the checkout. Entries that are read together cause a single call.
   */
  subscribe(reference: string, listener: FeedListener<State>): Promise<number>;
  /** Removes a listener. Polling stops when none is left. */
  unsubscribe(reference: string, listener: FeedListener<State>): void;
  readonly size: number;
}

const POLL_MS = 1000;
/** The time from a write of this instance to the next poll. It makes a burst of writes cause only one poll. */
const WAKE_MS = 10;
const PAGE_SIZE = 500;
const MAX_READS = 50;

/**
 * Creates an event feed. While it has listeners, it reads the log of the store soon after each write of this instance,
 * and once a second for the writes of other instances. Then it reads every changed checkout once, however many
 * listeners the checkout has.
 */
export function createEventFeed<State>(options: FeedOptions<State>): EventFeed<State> {
  const { runtime } = options;
  const listeners = new Map<string, Set<FeedListener<State>>>();
  let size = 0;
  let heartbeat: Timer | undefined;
  const log = createEventPoll<State>(options, listeners);

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
        heartbeat = runtime.setInterval(sendHeartbeats, HEARTBEAT_MS);
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

interface EventPoll {
  /**
   * Starts polling at the end of the log, unless polling has already started. Resolves with the id of the newest entry
   * that was read.
   */
  start(): Promise<number>;
  /** Stops polling, and drops the changes that were not sent yet. */
  stop(): void;
}

/**
 * Creates the poll of the log. For each changed checkout with listeners, it reads the state and calls the listeners.
 */
function createEventPoll<State>(
  { runtime, store, read, onError }: FeedOptions<State>,
  listeners: ReadonlyMap<string, ReadonlySet<FeedListener<State>>>,
): EventPoll {
  let cursor = 0;
  let started: Promise<void> | undefined;
  /**
   * The number of the current run, which ends with `stop`. Asynchronous steps compare it, so that a stopped run does
   * not continue beside the next one.
   */
  let current = 0;
  /** The newest log entry of each changed checkout whose new state was not sent yet. */
  const unsent = new Map<string, number>();
  /** The timer of the next poll. Undefined while a poll runs. */
  let timer: Timer | undefined;
  /** Whether this instance has written since the last poll began. */
  let isWoken = false;
  let stopListening: (() => void) | undefined;

  async function notify(run: number, reference: string, id: number): Promise<void> {
    if (run !== current) return;
    try {
      const state = listeners.has(reference) ? await read(reference) : undefined;
      // If this run was stopped, drop the state, because the listeners of the next run may already have a newer one.
      if (run !== current) return;
      unsent.delete(reference);
      if (state === undefined) return;
      for (const listener of listeners.get(reference) ?? []) listener.onEvent(id, state);
    } catch (error) {
      onError(error);
    }
  }

  /**
   * Sends all unsent states, and reads a limited number of them at a time. If all checkouts change at once, the reads
   * must not use up the connections of the store.
   */
  async function notifyAll(run: number): Promise<void> {
    const changed = [...unsent];
    for (let i = 0; i < changed.length; i += MAX_READS)
      await Promise.all(
        changed.slice(i, i + MAX_READS).map(([reference, id]) => notify(run, reference, id)),
      );
  }

  /**
   * Detects that the database was restored from a backup: the log then ends before the last entry that was read. New
   * entries reuse ids that were already read, so polling continues from the end of the log. Any checkout may have
   * changed, so the states of all checkouts with listeners are sent.
   */
  async function findRestore(run: number): Promise<void> {
    const last = await store.lastEventId();
    if (run !== current || last >= cursor) return;
    cursor = last;
    for (const reference of listeners.keys()) unsent.set(reference, last);
  }

  async function poll(run: number): Promise<void> {
    timer = undefined;
    isWoken = false;
    try {
      for (let hasMore = true; hasMore && run === current; ) {
        const events = await store.listEventsAfter(cursor, PAGE_SIZE);
        if (run !== current) return;
        for (const { id, reference = '' } of events) {
          cursor = id;
          if (listeners.has(reference)) unsent.set(reference, id);
        }
        if (events.length === 0) await findRestore(run);
        await notifyAll(run);
        hasMore = events.length === PAGE_SIZE;
      }
    } catch (error) {
      onError(error);
    }
    if (run === current) schedule(run);
  }

  function schedule(run: number): void {
    timer = runtime.setTimeout(() => void poll(run), isWoken ? WAKE_MS : POLL_MS);
    timer.unref();
  }

  /**
   * Runs the next poll earlier, because this instance has written. If a poll is running, another poll follows it,
   * because the running poll may have missed the write.
   */
  function wake(): void {
    if (isWoken) return;
    isWoken = true;
    if (!timer) return;
    runtime.clearTimeout(timer);
    schedule(current);
  }

  async function startRun(): Promise<void> {
    const run = ++current;
    stopListening = store.onRecorded?.(wake);
    const last = await store.lastEventId();
    if (run !== current) return;
    cursor = last;
    schedule(run);
  }

  return {
    async start() {
      // The first listener starts a run, which begins at the end of the log. Later listeners join the run, and miss no
      // entry.
      started ??= startRun();
      await started;
      return cursor;
    },
    stop() {
      current++;
      started = undefined;
      unsent.clear();
      stopListening?.();
      runtime.clearTimeout(timer);
      timer = undefined;
      isWoken = false;
    },
  };
}
