import type { ServerResponse } from 'node:http';
import { createConfigError, RampError } from '../../protocol/errors/RampError.js';
import { addErrorListener, createReportLimit } from '../internal/errorReports.js';
import { sendErrorResponse, toErrorResponse } from '../internal/errorResponses.js';
import { isWorkerd } from '../internal/isWorkerd.js';
import { processRuntime, type Runtime } from '../internal/runtime.js';
import { parseHandlerOptions, type RampHandler, type RampHandlerOptions } from './options.js';

/**
 * Creates the backend of the checkout: a function from `Request` to `Response` that any framework can mount.
 *
 * - `POST {basePath}/checkouts` with `{ widget, params }` calls the policy, signs, stores an intent, and returns 201
 *   with `{ reference, params, expiresInSeconds }`.
 * - With `api`, `GET {basePath}/currencies` and `/cryptocurrencies` return the service's currencies, cached for five
 *   minutes, and `/quote` returns a price, cached for five seconds. While the service is down, they return older
 *   responses, marked as stale.
 * - With `webhooks`, `POST {basePath}/webhook` verifies a webhook and requests a sync of the `tracker`.
 * - With `getSubject`, `GET {basePath}/checkouts/:reference` returns the state of the caller's own checkout, and
 *   `…/events` streams it. `GET {basePath}/checkouts` lists the caller's checkouts, unless `getSubject` is `'anyone'`.
 *   With `api` as well, `POST …/continue` signs the same checkout again for a new window, unless it has an order.
 * - With `syncSecret`, `GET` and `POST {basePath}/sync` run a sync of the `tracker` for a scheduled job.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when an option is missing or malformed.
 * @example
 * const handler = createRampHandler({
 *   signer,
 *   allowedOrigins: ['https://shop.example'],
 *   policy: ({ context }) => ({ params: { walletAddress: context.wallet }, subject: context.userId }),
 * });
 */
export function createRampHandler<Context = unknown>(
  options: RampHandlerOptions<Context>,
): RampHandler<Context>;
/** @internal */
export function createRampHandler<Context = unknown>(
  options: RampHandlerOptions<Context>,
  runtime: Runtime,
): RampHandler<Context>;
export function createRampHandler<Context = unknown>(
  options: RampHandlerOptions<Context>,
  runtime: Runtime = processRuntime,
): RampHandler<Context> {
  const settings = parseHandlerOptions(options, runtime);
  const isDue = createReportLimit(settings.runtime);
  // Import the routing library when a handler is created, so that importing this entry point stays cheap. Do not wait
  // for the first request: a busy server may then have no file handle left, and Node.js never retries a failed import.
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

  /**
   * Responds with 500 if the handler was called with something other than a Fetch `Request`. Otherwise the response of
   * a Node.js server would never end.
   */
  function refuseOtherRequest(second: unknown): Response {
    if (isDue(notMounted.code)) settings.onError(notMounted);
    if (isNodeResponse(second)) sendErrorResponse(second, toErrorResponse(notMounted));
    return toResponse(notMounted);
  }

  // `turns` makes requests wait for each other, which is not allowed in workerd.
  const handler: RampHandler<Context> = isWorkerd()
    ? (request, ...[context]) => respond(request, context)
    : (request, ...[context]) => runtime.turns.run(() => respond(request, context));
  return addErrorListener(handler, settings.onError);
}

function toResponse(error: unknown): Response {
  const { status, body } = toErrorResponse(error);
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } });
}

/**
 * Returns whether a value has the headers of a Fetch `Request`. It does not check the class, which may be that of
 * another library.
 */
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
