import { createRampHandlerWith } from './createRampHandlerWith.js';
import type { RampHandler, RampHandlerOptions } from './RampHandlerOptions.js';

/**
 * Creates the backend of the checkout: a function from `Request` to `Response` that any framework can mount.
 *
 * - `POST {basePath}/checkouts` with `{ widget, params }` calls the policy, stores an intent, signs, and
 *   returns 201 `{ reference, params, expiresInSeconds }`.
 * - With `api`, `GET {basePath}/currencies`, `/cryptocurrencies` and `/quote` return the service's currencies
 *   and prices, cached for five minutes and five seconds, and marked as stale while the service is down.
 * - With `webhooks`, `POST {basePath}/webhook` verifies a webhook and requests a sync of the `tracker`.
 * - With `getSubject`, `GET {basePath}/checkouts/:reference` returns the state of the caller's own checkout,
 *   `…/events` streams it, and `POST …/continue` signs the same checkout again for a new window, unless it
 *   has an order.
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
  return createRampHandlerWith(options, {});
}
