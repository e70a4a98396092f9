import type { ServerResponse } from 'node:http';
import { createConfigError } from '../../protocol/errors/RampError.js';
import { addErrorListener, createReportLimit } from '../internal/errorReports.js';
import { sendErrorResponse, toErrorResponse } from '../internal/errorResponses.js';
import { isPromise } from '../internal/options.js';
import { processRuntime, type Runtime } from '../internal/runtime.js';
import { createRampApp } from './createRampApp.js';
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
 * - With `getSubject`, pages poll `GET {basePath}/checkouts` for the states of the caller's own checkouts, and other
 *   clients `GET …/checkouts/:reference` for one of them. `POST …/opened` records that a checkout was opened, so that it
 *   is listed. With `api` as well, `POST …/continue` signs the same checkout again for a new window, unless it has an
 *   order.
 * - With `syncSecret`, `GET` and `POST {basePath}/sync` run a sync of the `tracker` for a scheduled job.
 *
 * One subject may send 300 requests a minute to the routes of checkouts; more get 429. While 1,000 requests are in
 * progress, the handler responds to others with 503. Both responses have `Retry-After`.
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
 * Returns whether a value has the headers of a Fetch `Request`. It does not check the class, which may be that of
 * another library.
 */
const isFetchRequest = (request: Request | undefined): boolean =>
  typeof request?.headers?.get === 'function';

const isNodeResponse = (value: unknown): value is ServerResponse => {
  const { setHeader, end } = (value ?? {}) as Partial<ServerResponse>;
  return typeof setHeader === 'function' && typeof end === 'function';
};

/** The policy would read the user of a promise, which is undefined, and sign for a shopper who is not signed in. */
const promisedContext = createConfigError(
  'createRampHandler',
  'returned a function that was called with a Promise as context. Await it first, such as in handler(request, await getSession(request)).',
);

const notMounted = createConfigError(
  'createRampHandler',
  'returned a function that takes a Fetch Request, and it was called with something else. Mount it with toExpress() of @partner-ramp/react/server/express in Express, and with toNodeHandler() of @partner-ramp/react/server/node in other servers of Node.js.',
);
