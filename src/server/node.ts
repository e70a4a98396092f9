/**
 * Mounts a ramp handler in node:http, node:http2, Fastify, Koa, Nest and other servers that use Node's request and
 * response.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Readable } from 'node:stream';
import { getRequestListener, RequestError } from '@hono/node-server';
import { createConfigError } from '../protocol/errors/RampError.js';
import type { RampHandler } from './handler/options.js';
import { createReportLimit, logError, reportToHandler } from './internal/errorReports.js';
import { type ErrorBody, sendErrorResponse, toErrorResponse } from './internal/errorResponses.js';
import { func, readOptions } from './internal/options.js';
import { processRuntime } from './internal/runtime.js';

/** Options of {@link toNodeHandler}. */
export interface ToNodeHandlerOptions<Context, Req = IncomingMessage> {
  /** Returns a request's `context` for the checkout policy, such as its session or user. Not called for a preflight. */
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
 * The handler receives whole paths, so set its `basePath` to the path at which you mount it. If something has read the
 * body first, as Cloud Functions and Nest do, the listener takes `rawBody`, or what a parser has left in `body`.
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
    throw createConfigError('toNodeHandler', 'needs a handler: the handler of createRamp().');
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
        // The handler itself never rejects, so this error comes from a function around it.
        reportToHandler(handler, error);
        const { status, body } = toErrorResponse(error);
        return Response.json(body, { status });
      },
    },
  );
  return async (req, res, next) => {
    if (!prepareRequest(req)) {
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
    // Express adapters for AWS Lambda send only the headers that Node.js remembers, and it remembers those of
    // `writeHead` only if one was set before. The handler sets this one in every response.
    if (!res.headersSent) res.setHeader('X-Content-Type-Options', 'nosniff');
    await listener(req, res);
  };
}

/** What platforms and body parsers add to a request. */
interface ReadRequest {
  /** The body as received. Cloud Functions sets it, and so does Nest with `rawBody: true`. */
  rawBody?: unknown;
  /** The body as a parser left it. */
  readonly body?: unknown;
}

/**
 * Prepares a request that a platform has already read, or has created itself. Returns false if its body is lost.
 *
 * Express adapters for AWS Lambda set `headers` but leave `rawHeaders` empty, or put the content length there as a
 * number.
 */
function prepareRequest(req: (IncomingMessage | Http2ServerRequest) & ReadRequest): boolean {
  if (req.rawHeaders.length === 0)
    for (const [name, value] of Object.entries(req.headers))
      for (const each of [value ?? []].flat()) req.rawHeaders.push(name, each);
  for (const [index, value] of req.rawHeaders.entries())
    if (typeof value !== 'string') req.rawHeaders[index] = `${value}`;
  if (req.rawBody !== undefined) {
    req.rawBody = toBuffer(req.rawBody);
    return true;
  }
  if (!req.readableDidRead) return true;
  if (req.method === 'GET' || req.method === 'HEAD' || req.method === 'OPTIONS') return true;
  if (req.body === undefined) return false;
  req.rawBody = toBuffer(req.body);
  return true;
}

/** @param body - Bytes, text, or parsed JSON. */
function toBuffer(body: unknown): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return Buffer.from(JSON.stringify(body));
}

/**
 * Converts a Node.js request into a Fetch `Request`, for a framework that sends the response itself, with its own
 * cookies and hooks. Like {@link toNodeHandler}, it takes `rawBody` or `body` if the body was already read.
 *
 * @throws RampError `ERR_CONFIG_INVALID` if the body was already read and is lost.
 * @example
 * fastify.all('/api/ramp/*', (request) => ramp.handler(toRequest(request.raw), request.session.user));
 */
export function toRequest(req: IncomingMessage | Http2ServerRequest): Request {
  if (!prepareRequest(req)) throw bodyWasRead;
  const { method = 'GET', rawHeaders } = req;
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    // HTTP/2 pseudo-headers begin with a colon.
    if (!name.startsWith(':')) headers.append(name, rawHeaders[i + 1] as string);
  }
  // Express and its adapters change `url` where an app is mounted, and keep the whole path in `originalUrl`.
  const { originalUrl, rawBody } = req as { originalUrl?: string } & ReadRequest;
  const host = headers.get('host') ?? req.headers[':authority'] ?? 'localhost';
  // Nothing depends on the scheme and the host, so any valid ones will do.
  const url = new URL(URL.canParse(`http://${host}`) ? `http://${host}` : 'http://localhost');
  const [path = '/', query = ''] = splitAtQuery(originalUrl ?? req.url ?? '/');
  url.pathname = path;
  url.search = query;
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers });
  // The Request constructor rejects these methods, but the handler must receive them to refuse them.
  if (/^(?:CONNECT|TRACE|TRACK)$/i.test(method))
    return Object.defineProperty(new Request(url, { headers }), 'method', { value: method });
  const body = rawBody === undefined ? streamBody(req) : (rawBody as Buffer);
  return new Request(url, { method, headers, body, duplex: 'half' } as RequestInit);
}

/**
 * Streams a body. Unlike `Readable.toWeb`, it reads nothing before it is asked to, and discards what the handler does
 * not read, so that the connection can serve the next request.
 */
function streamBody(req: Readable): ReadableStream<Uint8Array> {
  const chunks = req.iterator({ destroyOnReturn: false });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return?.();
        req.resume();
      },
    },
    { highWaterMark: 0 },
  );
}

function splitAtQuery(url: string): readonly string[] {
  const at = url.indexOf('?');
  return at < 0 ? [url] : [url.slice(0, at), url.slice(at)];
}

const unreadable: ErrorBody = {
  error: {
    code: 'ERR_REQUEST',
    message: 'The request is malformed. Check its Host header and its path.',
  },
};

const bodyWasRead = createConfigError(
  'A body parser',
  'has read this request before the ramp handler could, and left neither rawBody nor body. Mount the ramp handler (toExpress or toNodeHandler) before it.',
);
