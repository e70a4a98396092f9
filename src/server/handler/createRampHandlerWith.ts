import { toErrorResponse } from '../internal/toErrorResponse.js';
import type { RampApp } from './createRampApp.js';
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
