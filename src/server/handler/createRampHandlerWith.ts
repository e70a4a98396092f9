import type { ServerResponse } from 'node:http';
import { createConfigError } from '../../protocol/errors/createConfigError.js';
import { RampError } from '../../protocol/errors/RampError.js';
import { createReportLimit } from '../internal/createReportLimit.js';
import { addErrorListener } from '../internal/handlerErrors.js';
import { isWorkerd } from '../internal/isWorkerd.js';
import { runInTurn } from '../internal/runInTurn.js';
import { sendErrorResponse } from '../internal/sendErrorResponse.js';
import { toErrorResponse } from '../internal/toErrorResponse.js';
import { type HandlerInternals, parseHandlerOptions } from './parseHandlerOptions.js';
import type { RampHandler, RampHandlerOptions } from './RampHandlerOptions.js';

/**
 * Creates a ramp handler as `createRampHandler` does, with replaceable internals.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when an option is missing or malformed.
 */
export function createRampHandlerWith<Context = unknown>(
  options: RampHandlerOptions<Context>,
  internals: HandlerInternals,
): RampHandler<Context> {
  const settings = parseHandlerOptions(options, internals);
  const isDue = createReportLimit(settings.clock);
  // The routing library is loaded with the first handler, not with every import of this entry. It is not loaded
  // with the first request: Node.js keeps a failed import, and a busy server may have no file handle left.
  const app = import('./createRampApp.js')
    .then(({ createRampApp }) => createRampApp(settings))
    .catch((cause) => {
      const error = createLoadError(cause);
      settings.onError(error);
      return error;
    });
  const respond = async (request: Request, context: Context | undefined) => {
    if (!isFetchRequest(request)) return refuseOtherRequest(context);
    const loaded = await app;
    if (loaded instanceof RampError) return toResponse(loaded);
    return loaded.fetch(request, { context: context as Context });
  };

  /** Responds with 500 to a call with the request of another framework, whose response would never end. */
  function refuseOtherRequest(second: unknown): Response {
    if (isDue('request')) settings.onError(notMounted);
    if (isNodeResponse(second)) sendErrorResponse(second, toErrorResponse(notMounted));
    return toResponse(notMounted);
  }

  // In workerd a request must not wait for another one.
  const handler: RampHandler<Context> = isWorkerd()
    ? (request, ...[context]) => respond(request, context)
    : (request, ...[context]) => runInTurn(() => respond(request, context));
  return addErrorListener(handler, settings.onError);
}

function toResponse(error: unknown): Response {
  const { status, body } = toErrorResponse(error);
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } });
}

/** Returns whether a value has the headers of a Fetch `Request`. Its class may be that of another library. */
const isFetchRequest = (request: Request | undefined): boolean =>
  typeof request?.headers?.get === 'function';

const isNodeResponse = (value: unknown): value is ServerResponse => {
  const { setHeader, end } = (value ?? {}) as Partial<ServerResponse>;
  return typeof setHeader === 'function' && typeof end === 'function';
};

const notMounted = createConfigError(
  'createRampHandler',
  'returned a function that takes a Fetch Request, and it was called with something else. Mount it with toExpress() of @partner-ramp/react/server/express in Express, and with toNodeHandler() of @partner-ramp/react/server/node in other servers of Node.js.',
);

const createLoadError = (cause: unknown) =>
  new RampError(
    'ERR_INTERNAL',
    'The backend could not load the routes of createRampHandler, and Node.js does not load a module again that has failed. Restart the backend; the cause is in its log.',
    { cause },
  );
