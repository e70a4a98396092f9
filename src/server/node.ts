/**
 * Mounts a ramp handler in node:http, node:http2, Fastify, Koa and other servers with Node's request and
 * response.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { getRequestListener } from '@hono/node-server';
import { createConfigError } from '../protocol/errors/createConfigError.js';
import type { RampHandler } from './handler/RampHandlerOptions.js';
import { logError } from './internal/logError.js';
import { type ErrorBody, toErrorResponse } from './internal/toErrorResponse.js';

/** The options of {@link toNodeHandler}. */
export interface ToNodeHandlerOptions<Context, Req = IncomingMessage> {
  /** Returns what the checkout policy may know of the request: session, user. */
  readonly context: (req: Req) => Context | Promise<Context>;
}

/**
 * Responds to one request. The promise resolves once the response is complete, and never rejects. An error
 * in `context` goes to `next`; without it, the response is a 500 and the error is logged.
 */
export type NodeHandler = (
  req: IncomingMessage | Http2ServerRequest,
  res: ServerResponse | Http2ServerResponse,
  next?: (error: unknown) => void,
) => Promise<void>;

/**
 * Creates a request listener from a ramp handler. It closes event streams when their client leaves.
 *
 * The handler sees whole paths, so its `basePath` is the path it is mounted at. No body parser may read the
 * request first.
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
  return async (req, res, next) => {
    if (req.readableDidRead) {
      send(res, 500, bodyWasRead);
      return;
    }
    let hasLeft = res.destroyed;
    res.once('close', () => {
      hasLeft = true;
    });
    try {
      // A preflight carries no cookie and asks no policy.
      if (options && req.method !== 'OPTIONS')
        contexts.set(req, await options.context(req as IncomingMessage));
    } catch (error) {
      if (next) {
        next(error);
        return;
      }
      logError(error);
      const { status, body } = toErrorResponse(error);
      send(res, status, body);
      return;
    }
    // No event would close a stream that is opened for a client that has left.
    if (!hasLeft) await listener(req, res);
  };
}

function send(res: ServerResponse | Http2ServerResponse, status: number, body: ErrorBody): void {
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json');
  res.setHeader('Cache-Control', 'no-store');
  res.end(JSON.stringify(body));
}

/** Such as a Host header that is none. */
const unreadable: ErrorBody = {
  error: { code: 'ERR_REQUEST', message: 'The request could not be read.' },
};

const { body: bodyWasRead } = toErrorResponse(
  createConfigError(
    'A body parser',
    'has read this request before the ramp handler could. Mount the ramp handler (toExpress or toNodeHandler) before express.json() and other body parsers.',
  ),
);
