import type { ServerResponse } from 'node:http';
import { createConfigError } from '../../protocol/errors/RampError.js';
import { addErrorListener, createReportLimit } from '../internal/errorReports.js';
import { sendErrorResponse, toErrorResponse } from '../internal/errorResponses.js';
import { isPromise } from '../internal/options.js';
import { processRuntime, type Runtime } from '../internal/runtime.js';
import { createRampApp } from './createRampApp.js';
import { type RampHandler, type RampHandlerOptions, toHandlerSettings } from './options.js';

/**
 * Creates the handler of {@link createRamp}: a function from `Request` to `Response` that any framework can mount.
 * docs/http.md describes its routes.
 */
export function createRampHandler<Context = unknown>(
  options: RampHandlerOptions<Context>,
  runtime: Runtime = processRuntime,
): RampHandler<Context> {
  const settings = toHandlerSettings(options, runtime);
  const isDue = createReportLimit(settings.runtime);
  const app = createRampApp(settings);

  /**
   * Responds with 500 if the handler was called with something other than a Fetch `Request`. Otherwise the response of
   * a Node.js server would never end.
   */
  function refuseOtherRequest(second: unknown): Response {
    if (isDue(notMounted.code)) settings.onError(notMounted);
    if (isNodeResponse(second)) sendErrorResponse(second, toErrorResponse(notMounted));
    return toResponse(notMounted);
  }

  const handler: RampHandler<Context> = async (request, ...[context]) => {
    if (!isFetchRequest(request)) return refuseOtherRequest(context);
    if (isPromise(context)) {
      settings.onError(promisedContext);
      return toResponse(promisedContext);
    }
    return app.fetch(request, { context: context as Context });
  };
  return addErrorListener(handler, settings.onError);
}

function toResponse(error: unknown): Response {
  const { status, body } = toErrorResponse(error);
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } });
}

/**
 * Returns whether a value has the headers of a Fetch `Request`. It does not check the class, because another library
 * may have its own `Request`.
 */
const isFetchRequest = (request: Request | undefined): boolean =>
  typeof request?.headers?.get === 'function';

const isNodeResponse = (value: unknown): value is ServerResponse => {
  const { setHeader, end } = (value ?? {}) as Partial<ServerResponse>;
  return typeof setHeader === 'function' && typeof end === 'function';
};

/**
 * Thrown because the policy would read an undefined user from the promise, and could sign for a shopper who is not
 * signed in.
 */
const promisedContext = createConfigError(
  'ramp.handler',
  'was called with a Promise as context. Await it first, such as in handler(request, await getSession(request)).',
);

const notMounted = createConfigError(
  'ramp.handler',
  'takes a Fetch Request, and was called with something else. Mount it with toExpress() of @partner-ramp/react/server/express in Express, and with toNodeHandler() of @partner-ramp/react/server/node in other servers of Node.js.',
);
