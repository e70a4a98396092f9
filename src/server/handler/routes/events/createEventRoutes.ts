import { Hono, type Context as HonoContext } from 'hono';
import { createConcurrencyLimit } from '../../../internal/createConcurrencyLimit.js';
import { isWorkerd } from '../../../internal/isWorkerd.js';
import { RequestError } from '../../../internal/RequestError.js';
import { getSeconds } from '../../../internal/runtime.js';
import { type FindCheckoutOptions, findOwnCheckout } from '../../findOwnCheckout.js';
import type { HandlerSettings } from '../../HandlerSettings.js';
import type { RampEnv } from '../../RampEnv.js';
import { toCheckoutResponse } from '../../toCheckoutResponse.js';
import { createEventFeed } from './createEventFeed.js';
import { createEventStream } from './createEventStream.js';
import { createStreamLimit } from './createStreamLimit.js';

/** The settings of the handler that this route uses. */
export type EventRouteOptions<Context> = FindCheckoutOptions<Context> &
  Pick<HandlerSettings<Context>, 'maxStreams' | 'signal' | 'onError'>;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Compression and buffering in proxies would delay events.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
};

/** The streams that are opened at the same time. Each reads its checkout. */
const MAX_OPENING = 50;
/** The longest wait of a stream before it is opened. The page gives it as long. */
const MAX_WAIT_MS = 5000;

/**
 * Creates `GET /checkouts/:reference/events`: server-sent events. The first event is the current state, and
 * each later event is the whole state after a change, so a client that reconnects misses no change. The id of
 * an event is the id of the log entry.
 */
export function createEventRoutes<Context>(
  options: EventRouteOptions<Context>,
): Hono<RampEnv<Context>> {
  const { store, runtime, onError, signal } = options;
  // The data of an event is the same for all listeners, so it is serialized once.
  const read = async (reference: string): Promise<string | undefined> => {
    const checkout = await store.findCheckout(reference);
    return checkout && JSON.stringify(toCheckoutResponse(checkout, getSeconds(runtime)));
  };
  const closers = new Set<() => void>();
  const stream = {
    feed: createEventFeed({ runtime, store, read, onError }),
    read,
    onError,
    closers,
  };
  const limit = createStreamLimit(options.maxStreams);
  signal?.addEventListener('abort', () => {
    for (const close of closers) close();
  });

  const openInTurn = createConcurrencyLimit({
    runtime,
    maxRunning: MAX_OPENING,
    maxWaiting: options.maxStreams.total,
    maxWaitMs: MAX_WAIT_MS,
    createError: () => new BusyError(503, 'Too many event streams are being opened.'),
  });

  async function openStream(c: HonoContext<RampEnv<Context>>): Promise<Response> {
    const { intent } = await findOwnCheckout(c, options);
    const { reference } = intent;
    // All guests of a shop may be one subject.
    const subject = options.getSubject === 'anyone' ? reference : intent.subject;
    // The stream of a HEAD request would be neither read nor ended.
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
    if (isWorkerd())
      throw new RequestError(
        429,
        'This runtime cannot release event streams. Poll the checkout with GET instead.',
      );
    try {
      return await openInTurn(() => openStream(c));
    } catch (error) {
      if (!(error instanceof BusyError)) throw error;
      // The wait of a whole herd ends at the same time.
      await runtime.turns.wait();
      return refuse(c, 10, error.message);
    }
  });
  return app;
}

class BusyError extends RequestError {}

/** Responds with 503. It is not thrown: neither a stopping nor a busy server is an error to report to onError. */
function refuse(c: HonoContext, retryAfterSeconds: number, message: string): Response {
  c.header('Retry-After', `${retryAfterSeconds}`);
  return c.json({ error: { code: 'ERR_REQUEST', message } }, 503);
}
