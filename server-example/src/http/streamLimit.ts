import type { Request, RequestHandler } from 'express';
import { sendError } from './errors.js';
import type { CreateCounter } from './limitCounters.js';
import { getRoutedPath } from './requests.js';

/** After this time, the streams of a shopper are counted from zero. */
const SECONDS = 15 * 60;

/**
 * Limits the event streams that one shopper has open on all instances together. A page above the limit polls instead.
 *
 * The ramp handler has a limit too, which is exact, but for its own process. This one counts a stream for at most 15
 * minutes, so that the streams of an instance that has crashed do not count forever.
 *
 * @param findShopper - Returns the ID of the shopper who has sent the request.
 */
export function streamLimit(
  createCounter: CreateCounter,
  limit: number,
  findShopper: (req: Request) => Promise<string | undefined>,
): RequestHandler {
  const counter = createCounter('streams', limit, { seconds: SECONDS, isExact: true });
  return async (req, res, next) => {
    const isStream = req.method === 'GET' && getRoutedPath(req).endsWith('/events');
    const shopper = isStream ? await findShopper(req) : undefined;
    if (shopper === undefined) return next();
    const { count, resetTime } = await counter.increment(shopper);
    const release = () => {
      // After `resetTime`, the count no longer includes this stream.
      if (Date.now() < resetTime.getTime()) counter.decrement(shopper).catch(() => {});
    };
    if (count > limit) {
      release();
      res.setHeader('Retry-After', '30');
      return sendError(res, 429, 'Too many event streams are open. Poll the checkout with GET.');
    }
    if (res.closed) release();
    else res.once('close', release);
    next();
  };
}
