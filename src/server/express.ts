/**
 * Mounts a ramp handler in Express 4 or 5.
 *
 * @module
 */
import type { Request as ExpressRequest, RequestHandler } from 'express';
import type { RampHandler } from './handler/RampHandlerOptions.js';
import { type ToNodeHandlerOptions, toNodeHandler } from './node.js';

/** The options of `toExpress`. */
export interface ToExpressOptions<Context> extends ToNodeHandlerOptions<Context, ExpressRequest> {}

/**
 * Creates an Express middleware from a ramp handler. Mount it under any path, before every body parser.
 *
 * Errors of `context` are passed to the error handling of Express.
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
  return toNodeHandler(handler as RampHandler, options as ToNodeHandlerOptions<unknown>);
}
