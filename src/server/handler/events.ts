import { Hono, type Context as HonoContext } from 'hono';
import { createConcurrencyLimit } from '../internal/createConcurrencyLimit.js';
import { RequestError } from '../internal/errorResponses.js';
import { isWorkerd } from '../internal/isWorkerd.js';
import { sendJson } from '../internal/jsonResponse.js';
import type { RampEnv } from './createRampApp.js';
import { createEventFeed, type EventFeed, type FeedListener } from './eventFeed.js';
import type { HandlerSettings } from './options.js';
import { findOwnCheckout, toCheckoutResponse } from './status.js';

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Compression and buffering in proxies would delay events.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
};

/** The number of streams that are opened concurrently. Opening a stream reads its checkout from the store. */
const MAX_OPENING = 50;
/** The longest wait before a stream is opened. The page waits just as long for the first event. */
const MAX_WAIT_MS = 5000;

/**
 * Creates `GET /checkouts/:reference/events`: server-sent events. The first event is the current state, unless the
 * client already has it. Each later event is the whole state after a change, so a client that reconnects misses no
 * change. The id of an event is the id of a log entry.
 */
export function createEventRoutes<Context>(
  settings: HandlerSettings<Context>,
): Hono<RampEnv<Context>> {
  const { store, runtime, onError, signal } = settings;
  // The data of an event is the same for all listeners, so it is serialized once.
  const read = async (reference: string): Promise<string | undefined> => {
    const checkout = await store.findCheckout(reference);
    return checkout && JSON.stringify(toCheckoutResponse(checkout, settings));
  };
  const closers = new Set<() => void>();
  const stream = {
    feed: createEventFeed({ runtime, store, read, onError }),
    read,
    onError,
    closers,
  };
  const limit = createStreamLimit(settings.maxStreams);
  signal?.addEventListener('abort', () => {
    for (const close of closers) close();
  });

  const openInTurn = createConcurrencyLimit({
    runtime,
    maxRunning: MAX_OPENING,
    maxWaiting: settings.maxStreams.total,
    maxWaitMs: MAX_WAIT_MS,
    createError: () => new BusyError(503, 'Too many event streams are being opened.'),
  });

  async function openStream(c: HonoContext<RampEnv<Context>>): Promise<Response> {
    const { intent } = await findOwnCheckout(c, settings);
    const { reference } = intent;
    // With `'anyone'`, count the streams of each checkout, because there is no subject that tells shoppers apart.
    const subject = settings.getSubject === 'anyone' ? reference : intent.subject;
    // Do not open a stream for a HEAD request, because nobody would read or end it.
    if (c.req.method === 'HEAD') return new Response(null, { headers: HEADERS });
    if (signal?.aborted) return refuse(c, 5, 'The server is stopping. Try again in a moment.');
    const release = limit.acquire(subject);
    if (!release) {
      c.header('Retry-After', '30');
      throw new RequestError(
        429,
        'Too many event streams are open. Poll the checkout with GET instead.',
      );
    }
    const lastEventId = c.req.header('Last-Event-ID');
    const request = { reference, lastEventId, signal: c.req.raw.signal, onEnd: release };
    const { body, opened } = createEventStream(request, stream);
    if (await opened) return new Response(body, { headers: HEADERS });
    return refuse(c, 5, 'The state of the checkout could not be read. Try again in a moment.');
  }

  const app = new Hono<RampEnv<Context>>();
  app.get('/checkouts/:reference/events', async (c) => {
    // A page polls after any refusal, and the 404 tells it not to try again.
    if (!settings.streams || isWorkerd())
      throw new RequestError(
        404,
        settings.streams
          ? 'This runtime cannot release event streams. Poll the checkout with GET instead.'
          : 'createRampHandler has streams: false. Poll the checkout with GET instead.',
      );
    try {
      return await openInTurn(() => openStream(c));
    } catch (error) {
      if (!(error instanceof BusyError)) throw error;
      // Many requests may reach the time limit at the same moment, so spread their responses.
      await runtime.turns.wait();
      return refuse(c, 10, error.message);
    }
  });
  app.all('/checkouts/:reference/events', (c) => {
    c.header('Allow', 'GET');
    throw new RequestError(405, 'Request the events of a checkout with GET.');
  });
  return app;
}

class BusyError extends RequestError {}

/** Responds with 503. It does not throw, because a stopping or busy server is not an error to report to `onError`. */
function refuse(c: HonoContext, retryAfterSeconds: number, message: string): Response {
  c.header('Retry-After', `${retryAfterSeconds}`);
  return sendJson(c, { error: { code: 'ERR_REQUEST', message } }, 503);
}

/** The options that all streams share. */
interface EventStreamOptions {
  readonly feed: EventFeed<string>;
  /** Reads the current state of a checkout as the data of an event. */
  readonly read: (reference: string) => Promise<string | undefined>;
  readonly onError: (error: unknown) => void;
  readonly closers: Set<() => void>;
}

interface EventStreamRequest {
  readonly reference: string;
  readonly lastEventId: string | undefined;
  /** Is aborted when the client disconnects. */
  readonly signal: AbortSignal;
  readonly onEnd: () => void;
}

/**
 * A stream is closed when more than this many chunks wait for its slow client (backpressure). A chunk is a state or a
 * heartbeat.
 */
const MAX_WAITING = 64;

const encoder = new TextEncoder();

interface EventStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Resolves with true, or with false if the current state could not be read. In that case the stream ends. */
  readonly opened: Promise<boolean>;
}

/**
 * Creates a stream of server-sent events for one checkout: its current state, unless the client already has it, and the
 * whole state again after each change.
 */
function createEventStream(
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
    // If the client disconnected before the response began, nobody will call cancel() of the stream, so close it now.
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
      // If a change was sent meanwhile, `data` may be older, so do not send it.
      if (data && !hasNews) send(id, data);
      return true;
    } catch (error) {
      // Close the stream. The page then reconnects, and receives the whole state.
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

interface StreamLimit {
  /**
   * Counts one more stream of a subject.
   *
   * @returns A function to call exactly once, when the stream ends, or undefined if too many streams are open.
   */
  acquire(subject: string): (() => void) | undefined;
}

function createStreamLimit(max: HandlerSettings<never>['maxStreams']): StreamLimit {
  const streams = new Map<string, number>();
  let total = 0;
  return {
    acquire(subject) {
      const count = streams.get(subject) ?? 0;
      if (total >= max.total || count >= max.perSubject) return undefined;
      streams.set(subject, count + 1);
      total++;
      return () => {
        total--;
        const left = (streams.get(subject) ?? 1) - 1;
        if (left > 0) streams.set(subject, left);
        else streams.delete(subject);
      };
    },
  };
}
