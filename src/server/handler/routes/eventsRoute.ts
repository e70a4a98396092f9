import type { Hono } from 'hono';
import { RequestError } from '../../internal/httpErrors.js';
import { createEventFeed, type FeedListener, type FeedOptions } from '../createEventFeed.js';
import { toCheckoutResponse } from '../toCheckoutResponse.js';
import type { RampEnv } from './checkoutRoute.js';
import { findOwnCheckout, type StatusRouteOptions } from './statusRoute.js';

export interface EventsRouteOptions<Context>
  extends StatusRouteOptions<Context>,
    Pick<FeedOptions<never>, 'onError'> {
  readonly store: StatusRouteOptions<Context>['store'] & FeedOptions<never>['store'];
  /** Open streams of one subject (of one checkout where anyone may ask), and of all. */
  readonly maxStreams: { readonly perSubject: number; readonly total: number };
  /** Ends them all. */
  readonly signal: AbortSignal | undefined;
}

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Compression and buffering on the way hold events back.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * `GET /checkouts/:reference/events`: server-sent events. The state as it is comes first and again at each
 * change, whole, so whoever was away for a while has missed nothing; its id is that of the log.
 */
export function eventsRoute<Context>(
  app: Hono<RampEnv<Context>>,
  options: EventsRouteOptions<Context>,
): void {
  const { store, now, onError, maxStreams, signal } = options;
  /** The data of an event, the same for all who listen. */
  const read = async (reference: string): Promise<string | undefined> => {
    const checkout = await store.findCheckout(reference);
    return checkout && JSON.stringify(toCheckoutResponse(checkout, Math.floor(now() / 1000)));
  };
  const feed = createEventFeed({ store, read, onError });
  const encoder = new TextEncoder();
  const streamsOf = new Map<string, number>();
  const closing = new Set<() => void>();
  signal?.addEventListener('abort', () => {
    for (const close of closing) close();
  });

  app.get('/checkouts/:reference/events', async (c) => {
    const { intent } = await findOwnCheckout(c, options);
    const { reference } = intent;
    // All guests of a shop may be one subject.
    const subject = options.getSubject === 'anyone' ? reference : intent.subject;
    // Nobody would read the stream, nor end it.
    if (c.req.method === 'HEAD') return new Response(null, { headers: HEADERS });
    if (signal?.aborted) {
      c.header('Retry-After', '5');
      // Not thrown: it is no failure that onError should hear of.
      const message = 'The server is about to stop: ask again in a moment.';
      return c.json({ error: { code: 'ERR_REQUEST', message } }, 503);
    }
    const streams = streamsOf.get(subject) ?? 0;
    if (feed.size >= maxStreams.total || streams >= maxStreams.perSubject) {
      c.header('Retry-After', '30');
      throw new RequestError(429, 'Too many streams are open: ask with GET from time to time.');
    }
    streamsOf.set(subject, streams + 1);
    const release = () => {
      const left = (streamsOf.get(subject) ?? 1) - 1;
      if (left > 0) streamsOf.set(subject, left);
      else streamsOf.delete(subject);
    };
    const seen = c.req.header('Last-Event-ID');
    const stream = createStream(reference, seen, release, c.req.raw.signal);
    return new Response(stream, { headers: HEADERS });
  });

  function createStream(
    reference: string,
    seen: string | undefined,
    release: () => void,
    left: AbortSignal,
  ): ReadableStream<Uint8Array> {
    let listener: FeedListener<string> | undefined;
    let isOver = false;
    let close = () => {};
    const end = () => {
      if (isOver) return;
      isOver = true;
      closing.delete(close);
      left.removeEventListener('abort', close);
      if (listener) feed.unsubscribe(reference, listener);
      release();
    };
    return new ReadableStream({
      async start(controller) {
        close = () => {
          if (isOver) return;
          end();
          controller.close();
        };
        closing.add(close);
        // A client that left before the response began never cancels it.
        if (left.aborted) return close();
        left.addEventListener('abort', close);
        const write = (text: string) => {
          if (isOver) return;
          // Who does not read is let go, before what waits for them fills the memory.
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
          if (seen === `${id}`) return;
          const data = await read(reference);
          // An older state must not come after a newer one.
          if (data && !hasNews) send(id, data);
        } catch (error) {
          // What could not be read is not said again: the page asks anew, and hears the whole.
          onError(error);
          close();
        }
      },
      cancel: end,
    });
  }
}

/** Chunks: a state each, or a beat. */
const MAX_WAITING = 64;
