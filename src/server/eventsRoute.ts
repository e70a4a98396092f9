import type { Hono } from 'hono';
import type { RampEnv } from './checkoutRoute.js';
import { createEventFeed, type FeedListener, type FeedSettings } from './createEventFeed.js';
import { RequestRefused } from './http-errors.js';
import { checkoutAnswer } from './orders/checkoutAnswer.js';
import { ownCheckout, type StatusRouteOptions } from './statusRoute.js';

export interface EventsRouteOptions<Context>
  extends StatusRouteOptions<Context>,
    Pick<FeedSettings, 'onError'> {
  /** Open streams of one subject, and of all. */
  readonly maxStreams: { readonly perSubject: number; readonly inAll: number };
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
  const feed = createEventFeed({ store, onError });
  const streamsOf = new Map<string, number>();
  const closing = new Set<() => void>();
  signal?.addEventListener('abort', () => {
    for (const close of closing) close();
  });

  app.get('/checkouts/:reference/events', async (c) => {
    const { intent } = await ownCheckout(c, options);
    if (signal?.aborted) {
      c.header('Retry-After', '5');
      // Not thrown: it is no failure that onError should hear of.
      const message = 'The server is about to stop: ask again in a moment.';
      return c.json({ error: { code: 'ERR_REQUEST', message } }, 503);
    }
    const { reference, subject } = intent;
    const streams = streamsOf.get(subject) ?? 0;
    if (feed.size >= maxStreams.inAll || streams >= maxStreams.perSubject) {
      c.header('Retry-After', '30');
      throw new RequestRefused(429, 'Too many streams are open: ask with GET from time to time.');
    }
    streamsOf.set(subject, streams + 1);
    const release = () => {
      const left = (streamsOf.get(subject) ?? 1) - 1;
      if (left > 0) streamsOf.set(subject, left);
      else streamsOf.delete(subject);
    };
    const seen = c.req.header('Last-Event-ID');
    const body = streamOf(reference, seen, release);
    return new Response(body, { headers: { ...Object.fromEntries(c.res.headers), ...HEADERS } });
  });

  function streamOf(
    reference: string,
    seen: string | undefined,
    release: () => void,
  ): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    let listener: FeedListener | undefined;
    let isOver = false;
    let close = () => {};
    const end = () => {
      if (isOver) return;
      isOver = true;
      closing.delete(close);
      if (listener) feed.leave(reference, listener);
      release();
    };
    return new ReadableStream({
      async start(controller) {
        close = () => {
          end();
          controller.close();
        };
        closing.add(close);
        const write = (text: string) => {
          if (isOver) return;
          // Who does not read is let go, before what waits for them fills the memory.
          if ((controller.desiredSize ?? 0) < -MAX_WAITING) close();
          else controller.enqueue(encoder.encode(text));
        };
        let last = '';
        const send = async (id: number) => {
          const checkout = await store.findCheckout(reference);
          if (!checkout) return;
          const data = JSON.stringify(checkoutAnswer(checkout, Math.floor(now() / 1000)));
          if (data !== last) write(`id: ${id}\nevent: checkout\ndata: ${data}\n\n`);
          last = data;
        };
        // One after the other, so that an older state never comes after a newer one.
        let queue = Promise.resolve();
        const push = (id: number) => {
          queue = queue.then(() => send(id)).catch(onError);
        };
        listener = { onEvent: push, onBeat: () => write(':\n\n') };
        try {
          const id = await feed.listen(reference, listener);
          write('retry: 3000\n\n');
          if (seen !== `${id}`) push(id);
        } catch (error) {
          onError(error);
          if (!isOver) close();
        }
      },
      cancel: end,
    });
  }
}

/** Chunks: a state each, or a beat. */
const MAX_WAITING = 64;
