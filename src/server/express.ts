/**
 * Mounts a ramp handler in Express 5.
 *
 * @module
 */
import { getRequestListener } from '@hono/node-server';
import type { Request as ExpressRequest, RequestHandler } from 'express';
import type { RampHandler } from './createRampHandler.js';
import type { ErrorBody } from './http-errors.js';

export interface ToExpressOptions<Context> {
  /** What the checkout policy may know of the request: session, user. */
  readonly context: (req: ExpressRequest) => Context | Promise<Context>;
}

/**
 * Makes an Express middleware of a ramp handler. It works under any path, before any body parser.
 *
 * An error in `context` goes to Express' own error handling.
 *
 * @example
 * app.use('/api/ramp', toExpress(handler, { context: (req) => ({ userId: req.session.userId }) }));
 */
export function toExpress<Context>(
  handler: RampHandler<Context>,
  ...[options]: unknown extends Context
    ? [options?: ToExpressOptions<Context>]
    : [options: ToExpressOptions<Context>]
): RequestHandler {
  const contexts = new WeakMap<object, Context>();
  const listener = getRequestListener(
    (request, { incoming }) =>
      (handler as (request: Request, context: Context) => Promise<Response>)(
        request,
        contexts.get(incoming) as Context,
      ),
    {
      overrideGlobalObjects: false,
      errorHandler: () => Response.json(unreadable, { status: 400 }),
    },
  );
  return async (req, res) => {
    if (req.readableDidRead) {
      res.status(500).json(bodyWasRead);
      return;
    }
    // A preflight carries no cookie and asks no policy.
    if (options && req.method !== 'OPTIONS') contexts.set(req, await options.context(req));
    await listener(req, res);
  };
}

/** Such as a Host header that is none. */
const unreadable: ErrorBody = {
  error: { code: 'ERR_REQUEST', message: 'The request could not be read.' },
};

const bodyWasRead: ErrorBody = {
  error: {
    code: 'ERR_CONFIG_INVALID',
    message:
      'A body parser has read this request before the ramp handler could. Mount toExpress(handler) before express.json() and its like.',
  },
};
