import type { IncomingMessage, ServerResponse } from 'node:http';
import { types } from 'node:util';
import { type DestinationStream, type Logger, pino } from 'pino';
import { pinoHttp } from 'pino-http';
import type { Config } from '../config/readConfig.js';

const SECRET_HEADERS = ['authorization', 'cookie', 'set-cookie', 'x-fp-signature'];

/**
 * Creates the logger. The redaction protects headers that other code logs. {@link createRequestLogger} logs no
 * headers at all.
 */
export function createLogger(level: Config['logLevel'], stream?: DestinationStream): Logger {
  const options = {
    level,
    redact: {
      paths: ['', 'req.', 'res.', '*.'].flatMap((owner) =>
        SECRET_HEADERS.map((name) => `${owner}headers["${name}"]`),
      ),
      censor: '[redacted]',
    },
    serializers: { err: toLoggedError },
  };
  return stream ? pino(options, stream) : pino(options);
}

export const createErrorLogger = (logger: Logger) => (message: string) => (err: unknown) =>
  logger.error({ err }, message);

/** Under a mount path, Express removes that path from `url`. `originalUrl` contains the full URL. */
type LoggedRequest = IncomingMessage & { readonly originalUrl?: string };

/** The paths that load balancers request every few seconds. They are not logged. */
const PROBES = ['/health', '/ready'];

const getPath = ({ url = '', originalUrl = url }: LoggedRequest) =>
  originalUrl.split('?', 1)[0] ?? '';

/**
 * Returns whether a request is a refused webhook. Refused webhooks are not logged, because any caller can send any
 * number of them. createRefusalReport counts them instead.
 */
const isRefusedWebhook = (req: LoggedRequest, status: number) =>
  status === 401 && getPath(req) === '/api/ramp/webhook';

/** Creates the request logger. It logs method, path, status and time, but no headers, query or body. */
export function createRequestLogger(logger: Logger) {
  return pinoHttp({
    logger,
    autoLogging: { ignore: (req) => PROBES.includes(getPath(req)) },
    customLogLevel: (req, { statusCode }) =>
      isRefusedWebhook(req, statusCode)
        ? 'silent'
        : statusCode >= 500
          ? 'error'
          : statusCode >= 400
            ? 'warn'
            : 'info',
    customErrorObject: (_req, res, _error, { responseTime }) => ({ res, responseTime }),
    wrapSerializers: false,
    serializers: {
      req: (req: LoggedRequest) => ({ id: req.id, method: req.method, path: getPath(req) }),
      res: ({ statusCode }: ServerResponse) => ({ statusCode }),
      err: toLoggedError,
    },
  });
}

/** Returns name, code and stack of an error and its causes. Omits all other properties: they may contain a body. */
function toLoggedError(error: unknown): unknown {
  if (!types.isNativeError(error)) return { type: typeof error };
  const { name, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name,
    stack,
    ...(typeof code === 'string' && { code }),
    ...(cause !== undefined && { cause: toLoggedError(cause) }),
  };
}
