import type { Runtime, Timer } from '../../../internal/runtime.js';
import type { OrderRecordStore } from '../../../orders/store/OrderStore.js';

/** The options of `createEventPoll`. */
export interface EventPollOptions<State> {
  readonly runtime: Runtime;
  readonly store: Pick<OrderRecordStore, 'listEventsAfter' | 'lastEventId'>;
  /** Reads the current state of a checkout, or undefined when it was deleted. */
  readonly read: (reference: string) => Promise<State | undefined>;
  /** The checkouts that have listeners. The state of other checkouts is not read. */
  readonly listeners: Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'>;
  /** Is called for each checkout with a new log entry; `id` is the id of its newest entry. */
  readonly onEvent: (reference: string, id: number, state: State) => void;
  readonly onError: (error: unknown) => void;
  readonly pollMs: number;
}

/** A poll of the event log. */
export interface EventPoll {
  /** Starts polling at the end of the log, unless it runs. Resolves with the id of the newest entry read. */
  start(): Promise<number>;
  /** Stops polling, and drops the changes that were not emitted yet. */
  stop(): void;
}

const PAGE_SIZE = 500;
/** The states that are read at the same time. */
const MAX_READS = 50;

/** Reads some states at a time: a change of all checkouts must not use up the connections of the store. */
async function inBatches<T>(items: readonly T[], read: (item: T) => Promise<void>): Promise<void> {
  for (let i = 0; i < items.length; i += MAX_READS)
    await Promise.all(items.slice(i, i + MAX_READS).map(read));
}

/** Creates a poll of the store's event log, which other instances write too. It reads the checkouts that changed. */
export function createEventPoll<State>(options: EventPollOptions<State>): EventPoll {
  const { runtime, store, read, listeners, onEvent, onError, pollMs } = options;
  let cursor = 0;
  let started: Promise<void> | undefined;
  /** The number of the current run. A stopped run must not continue beside the next one. */
  let current = 0;
  /** The newest entry of each checkout whose state is not read yet. */
  const unsent = new Map<string, number>();
  let timer: Timer | undefined;

  async function notify(run: number, reference: string, id: number): Promise<void> {
    if (run !== current) return;
    try {
      const state = listeners.has(reference) ? await read(reference) : undefined;
      // All listeners have left meanwhile. The listeners of the next run may already have a newer state.
      if (run !== current) return;
      unsent.delete(reference);
      if (state !== undefined) onEvent(reference, id, state);
    } catch (error) {
      onError(error);
    }
  }

  /**
   * Starts anew when the log ends before the last entry that was read: the database was restored from a backup.
   * Any checkout may have changed, and new entries have numbers that were read before.
   */
  async function findRestore(run: number): Promise<void> {
    const last = await store.lastEventId();
    if (run !== current || last >= cursor) return;
    cursor = last;
    for (const reference of listeners.keys()) unsent.set(reference, last);
  }

  async function poll(run: number): Promise<void> {
    try {
      for (let hasMore = true; hasMore && run === current; ) {
        const events = await store.listEventsAfter(cursor, PAGE_SIZE);
        if (run !== current) return;
        for (const { id, reference = '' } of events) {
          cursor = id;
          if (listeners.has(reference)) unsent.set(reference, id);
        }
        if (events.length === 0) await findRestore(run);
        await inBatches([...unsent], ([reference, id]) => notify(run, reference, id));
        hasMore = events.length === PAGE_SIZE;
      }
    } catch (error) {
      onError(error);
    }
    if (run === current) schedule(run);
  }

  function schedule(run: number): void {
    timer = runtime.setTimeout(() => void poll(run), pollMs);
    timer.unref();
  }

  async function startRun(): Promise<void> {
    const run = ++current;
    const last = await store.lastEventId();
    if (run !== current) return;
    cursor = last;
    schedule(run);
  }

  return {
    async start() {
      // The run begins at the end of the log for the first listener. Later listeners join it and miss no entry.
      started ??= startRun();
      await started;
      return cursor;
    },
    stop() {
      current++;
      started = undefined;
      unsent.clear();
      runtime.clearTimeout(timer);
    },
  };
}
