import { toErrorResponse } from '../internal/toErrorResponse.js';
import type { RampApp } from './createRampApp.js';
import { parseHandlerOptions } from './parseHandlerOptions.js';
import type { RampHandler, RampHandlerOptions } from './RampHandlerOptions.js';

/**
 * Makes the backend's side of a checkout: a function from `Request` to `Response` that any
 * framework can mount. `POST {basePath}/checkouts` with `{ widget, params }` asks the policy,
 * keeps an intent, signs, and answers 201 `{ reference, params, expiresInSeconds }`. With an `api`,
 * `GET {basePath}/currencies`, `/cryptocurrencies` and `/quote` answer what the service says, kept
 * for five minutes and five seconds, and marked as stale while the service is down. With `webhooks`,
 * `POST {basePath}/webhook` takes the service's, and nudges the `tracker`. With `getSubject`,
 * `GET {basePath}/checkouts/:reference` says how far one's own checkout is, and `…/events` as it moves; `POST …/continue` signs the same checkout
 * again for a new window, unless it has an order.
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
): RampHandler<Context> {
  const settings = parseHandlerOptions(options);
  // The routing library is loaded with the first request, not with every import of this entry.
  let app: Promise<RampApp<Context>> | undefined;
  return async (request, ...[context]) => {
    try {
      app ??= import('./createRampApp.js').then(({ createRampApp }) => createRampApp(settings));
      return await (await app).fetch(request, { context: context as Context });
    } catch (error) {
      // The routes could not be loaded.
      settings.onError(error);
      const { status, body } = toErrorResponse(error);
      return Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } });
    }
  };
}
