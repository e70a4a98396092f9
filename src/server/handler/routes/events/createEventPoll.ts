import type { OrderRecordStore } from '../../../orders/store/OrderRecordStore.js';

export interface EventPollOptions<State> {
  readonly store: Pick<OrderRecordStore, 'listEventsAfter' | 'lastEventId'>;
  /** Reads the current state of a checkout, or undefined when it was deleted. */
  readonly read: (reference: string) => Promise<State | undefined>;
  /** Returns whether a checkout has listeners. The state of others is not read. */
  readonly hasListeners: (reference: string) => boolean;
  /** Is called with each checkout whose log has a new entry; `id` is that of the newest. */
  readonly onEvent: (reference: string, id: number, state: State) => void;
  readonly onError: (error: unknown) => void;
  readonly pollMs: number;
}

export interface EventPoll {
  /** Starts polling at the end of the log, unless it runs. Resolves with the id of the newest entry read. */
  start(): Promise<number>;
  stop(): void;
}

const PAGE_SIZE = 500;

/** Polls the store's log of events, which other instances write too, and reads the checkouts that changed. */
export function createEventPoll<State>(options: EventPollOptions<State>): EventPoll {
  const { store, read, hasListeners, onEvent, onError, pollMs } = options;
  let cursor = 0;
  let started: Promise<void> | undefined;
  /** The number of the current run. A run that was stopped must not continue beside the next. */
  let current = 0;
  /** The newest entry of each checkout whose state could not be read yet. */
  const unsent = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function notify(run: number, reference: string, id: number): Promise<void> {
    try {
      const state = hasListeners(reference) ? await read(reference) : undefined;
      // All listeners left meanwhile. Those of the next run may know a newer state already.
      if (run !== current) return;
      unsent.delete(reference);
      if (state !== undefined) onEvent(reference, id, state);
    } catch (error) {
      onError(error);
    }
  }

  async function poll(run: number): Promise<void> {
    try {
      for (let hasMore = true; hasMore && run === current; ) {
        const events = await store.listEventsAfter(cursor, PAGE_SIZE);
        if (run !== current) return;
        for (const { id, reference = '' } of events) {
          cursor = id;
          if (hasListeners(reference)) unsent.set(reference, id);
        }
        await Promise.all([...unsent].map(([reference, id]) => notify(run, reference, id)));
        hasMore = events.length === PAGE_SIZE;
      }
    } catch (error) {
      onError(error);
    }
    if (run === current) schedule(run);
  }

  function schedule(run: number): void {
    timer = setTimeout(poll, pollMs, run);
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
      // The first listener sets where the run begins; those who join later miss nothing by it.
      started ??= startRun();
      await started;
      return cursor;
    },
    stop() {
      current++;
      started = undefined;
      unsent.clear();
      clearTimeout(timer);
    },
  };
}
