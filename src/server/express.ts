/**
 * Mounts a ramp handler in Express 4 or 5.
 *
 * @module
 */
import type { Request as ExpressRequest, RequestHandler } from 'express';
import { createConfigError } from '../protocol/errors/RampError.js';
import type { RampHandler } from './handler/options.js';
import { reportToHandler } from './internal/errorReports.js';
import { func, readOptions } from './internal/options.js';
import { type ToNodeHandlerOptions, toNodeHandler } from './node.js';

/** The options of `toNodeHandler`, with the request type of Express. */
export interface ToExpressOptions<Context> extends ToNodeHandlerOptions<Context, ExpressRequest> {}

/**
 * Creates an Express middleware from a ramp handler. Mount it under any path, before every body parser.
 *
 * Errors that `context` throws go to Express's error handling.
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
  if (typeof handler !== 'function')
    throw createConfigError('toExpress', 'needs a handler: the handler of createRamp().');
  readOptions('toExpress', options, { context: func() });
  const listener = toNodeHandler(handler as RampHandler, options as ToNodeHandlerOptions<unknown>);
  let hasReported = false;
  const mounted: RequestHandler = (req, res, next) => {
    const methods = findOnlyMethods(req.route, mounted);
    if (methods && !hasReported) {
      hasReported = true;
      reportToHandler(handler, createMountError(methods));
    }
    return listener(req, res, next);
  };
  return mounted;
}

interface Route {
  readonly methods?: Readonly<Record<string, true>>;
  readonly stack?: readonly { readonly handle?: unknown }[];
}

/**
 * Returns a route's methods if it lacks GET or POST, as a route from `app.post` does, because the page needs both.
 * Returns undefined for any other route or mount. The route must contain `mounted`, because Express also keeps the
 * route of an earlier handler that has called `next()`.
 */
function findOnlyMethods(route: Route | undefined, mounted: RequestHandler): string | undefined {
  const { methods, stack } = route ?? {};
  if (!methods || methods._all || (methods.get && methods.post)) return undefined;
  if (!stack?.some(({ handle }) => handle === mounted)) return undefined;
  return Object.keys(methods).join(' and ').toUpperCase();
}

const createMountError = (methods: string) =>
  createConfigError(
    'toExpress()',
    `is mounted for ${methods} requests only, so Express responds 404 to the others, and the page needs GET and POST. Mount it with app.use('/api/ramp', toExpress(handler)).`,
  );
