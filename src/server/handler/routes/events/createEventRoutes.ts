import { Hono } from 'hono';
import { RequestError } from '../../../internal/RequestError.js';
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

/**
 * Creates `GET /checkouts/:reference/events`: server-sent events. The first event is the current state, and
 * each later event is the whole state after a change, so a client that reconnects misses no change. The id of
 * an event is the id of the log entry.
 */
export function createEventRoutes<Context>(
  options: EventRouteOptions<Context>,
): Hono<RampEnv<Context>> {
  const { store, now, onError, signal } = options;
  // The data of an event is the same for all listeners, so it is serialized once.
  const read = async (reference: string): Promise<string | undefined> => {
    const checkout = await store.findCheckout(reference);
    return checkout && JSON.stringify(toCheckoutResponse(checkout, Math.floor(now() / 1000)));
  };
  const closers = new Set<() => void>();
  const stream = { feed: createEventFeed({ store, read, onError }), read, onError, closers };
  const limit = createStreamLimit(options.maxStreams);
  signal?.addEventListener('abort', () => {
    for (const close of closers) close();
  });

  const app = new Hono<RampEnv<Context>>();
  app.get('/checkouts/:reference/events', async (c) => {
    const { intent } = await findOwnCheckout(c, options);
    const { reference } = intent;
    // All guests of a shop may be one subject.
    const subject = options.getSubject === 'anyone' ? reference : intent.subject;
    // The stream of a HEAD request would be neither read nor ended.
    if (c.req.method === 'HEAD') return new Response(null, { headers: HEADERS });
    if (signal?.aborted) {
      c.header('Retry-After', '5');
      // Returned, not thrown: a stopping server is not an error to report to onError.
      const message = 'The server is stopping. Try again in a moment.';
      return c.json({ error: { code: 'ERR_REQUEST', message } }, 503);
    }
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
    return new Response(createEventStream(request, stream), { headers: HEADERS });
  });
  return app;
}
