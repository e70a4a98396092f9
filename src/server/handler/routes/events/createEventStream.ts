import type { EventFeed, FeedListener } from './createEventFeed.js';

/** The options that all streams share. */
export interface EventStreamOptions {
  readonly feed: EventFeed<string>;
  /** Reads the current state of a checkout as the data of an event. */
  readonly read: (reference: string) => Promise<string | undefined>;
  readonly onError: (error: unknown) => void;
  /** The functions that close the open streams. */
  readonly closers: Set<() => void>;
}

/** A request for an event stream. */
export interface EventStreamRequest {
  readonly reference: string;
  /** The id of the last event that the client received. */
  readonly lastEventId: string | undefined;
  /** Is aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Is called once, when the stream has ended. */
  readonly onEnd: () => void;
}

/** The limit of backpressure: the chunks that may wait for a slow client. Each is a state or a heartbeat. */
const MAX_WAITING = 64;

const encoder = new TextEncoder();

/** A stream of server-sent events. */
export interface EventStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Resolves when the current state was read: false if that failed, so that the stream has ended. */
  readonly opened: Promise<boolean>;
}

/**
 * Creates a stream of server-sent events of one checkout: its current state, unless the client has it, and
 * the whole state again after each change.
 */
export function createEventStream(
  { reference, lastEventId, signal, onEnd }: EventStreamRequest,
  { feed, read, onError, closers }: EventStreamOptions,
): EventStream {
  let listener: FeedListener<string> | undefined;
  let hasEnded = false;
  let close = () => {};
  const end = () => {
    if (hasEnded) return;
    hasEnded = true;
    closers.delete(close);
    signal.removeEventListener('abort', close);
    if (listener) feed.unsubscribe(reference, listener);
    onEnd();
  };

  async function start(controller: ReadableStreamDefaultController<Uint8Array>): Promise<boolean> {
    close = () => {
      if (hasEnded) return;
      end();
      controller.close();
    };
    closers.add(close);
    // A client that disconnected before the response began never cancels it.
    if (signal.aborted) {
      close();
      return true;
    }
    signal.addEventListener('abort', close);
    const write = (text: string) => {
      if (hasEnded) return;
      // Under backpressure, close the stream before the waiting chunks fill the memory.
      if ((controller.desiredSize ?? 0) < -MAX_WAITING) close();
      else controller.enqueue(encoder.encode(text));
    };
    let last = '';
    let hasNews = false;
    const send = (id: number, data: string) => {
      if (data !== last) write(`id: ${id}\nevent: checkout\ndata: ${data}\n\n`);
      last = data;
    };
    const onEvent = (id: number, data: string) => {
      hasNews = true;
      send(id, data);
    };
    listener = { onEvent, onHeartbeat: () => write(':\n\n') };
    try {
      const id = await feed.subscribe(reference, listener);
      write('retry: 3000\n\n');
      if (lastEventId === `${id}`) return true;
      const data = await read(reference);
      // An older state must not follow a newer one.
      if (data && !hasNews) send(id, data);
      return true;
    } catch (error) {
      // The page reconnects and then receives the whole state.
      onError(error);
      close();
      return false;
    }
  }

  let opened = Promise.resolve(true);
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      opened = start(controller);
      await opened;
    },
    cancel: end,
  });
  return { body, opened };
}
