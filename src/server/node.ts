/**
 * Mounts a ramp handler in node:http, node:http2, Fastify, Koa and other servers that use Node's request and
 * response.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { getRequestListener, RequestError } from '@hono/node-server';
import { createConfigError } from '../protocol/errors/RampError.js';
import type { RampHandler } from './handler/options.js';
import { createReportLimit, logError, reportToHandler } from './internal/errorReports.js';
import { type ErrorBody, sendErrorResponse, toErrorResponse } from './internal/errorResponses.js';
import { func, readOptions } from './internal/options.js';
import { processRuntime } from './internal/runtime.js';

/** Options of {@link toNodeHandler}. */
export interface ToNodeHandlerOptions<Context, Req = IncomingMessage> {
  /**
   * Returns the `context` of the checkout policy, such as the session or the user of a request. Is not called for a
   * preflight.
   */
  readonly context: (req: Req) => Context | Promise<Context>;
}

/**
 * Responds to one request. The promise resolves when the response is complete, and never rejects. If `context` throws,
 * `next` is called with the error. Without `next`, the error is logged and becomes the response: a 500, unless it is a
 * `RampError` with another status.
 */
export type NodeHandler = (
  req: IncomingMessage | Http2ServerRequest,
  res: ServerResponse | Http2ServerResponse,
  next?: (error: unknown) => void,
) => Promise<void>;

/**
 * Creates a request listener from a ramp handler.
 *
 * The handler receives whole paths, so set its `basePath` to the path at which you mount it. A body parser must not
 * read the request first.
 *
 * @example
 * const ramp = toNodeHandler(handler, { context: (req) => userOf(req.headers.cookie) });
 * createServer((req, res) => (req.url?.startsWith('/api/ramp/') ? ramp(req, res) : page(req, res)));
 */
export function toNodeHandler<Context>(
  handler: RampHandler<Context>,
  ...[options]: unknown extends Context
    ? [options?: ToNodeHandlerOptions<Context>]
    : [options: ToNodeHandlerOptions<Context>]
): NodeHandler {
  if (typeof handler !== 'function')
    throw createConfigError('toNodeHandler', 'needs a handler: the result of createRampHandler().');
  const { context } = readOptions('toNodeHandler', options, {
    context: func<ToNodeHandlerOptions<Context>['context']>(),
  });
  const isDue = createReportLimit(processRuntime);
  const contexts = new WeakMap<object, Context>();
  const listener = getRequestListener(
    (request, { incoming }) =>
      (handler as (request: Request, context: Context) => Promise<Response>)(
        request,
        contexts.get(incoming) as Context,
      ),
    {
      overrideGlobalObjects: false,
      errorHandler(error) {
        if (error instanceof RequestError) return Response.json(unreadable, { status: 400 });
        // The handler itself never rejects, so a function around it has failed.
        reportToHandler(handler, error);
        const { status, body } = toErrorResponse(error);
        return Response.json(body, { status });
      },
    },
  );
  return async (req, res, next) => {
    if (req.readableDidRead) {
      if (isDue('body')) reportToHandler(handler, bodyWasRead);
      sendErrorResponse(res, toErrorResponse(bodyWasRead));
      return;
    }
    try {
      // Skip `context` for a preflight, which has no cookie and does not reach the policy.
      if (context && req.method !== 'OPTIONS')
        contexts.set(req, await context(req as IncomingMessage));
    } catch (error) {
      if (next) {
        next(error);
        return;
      }
      logError(error);
      sendErrorResponse(res, toErrorResponse(error));
      return;
    }
    await listener(req, res);
  };
}

const unreadable: ErrorBody = {
  error: {
    code: 'ERR_REQUEST',
    message: 'The request is malformed. Check its Host header and its path.',
  },
};

const bodyWasRead = createConfigError(
  'A body parser',
  'has read this request before the ramp handler could. Mount the ramp handler (toExpress or toNodeHandler) before express.json() and other body parsers.',
);
