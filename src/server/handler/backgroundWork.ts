import type { Context as HonoContext } from 'hono';
import type { RampEnv } from './createRampApp.js';
import type { HandlerSettings } from './options.js';

/**
 * Creates a function that runs work for a request. With `waitUntil`, the response does not wait for the work. Without
 * it, the returned promise resolves when the work has ended, because nothing else would keep a serverless function
 * alive after the response.
 */
export function createBackgroundWork<Context>({
  waitUntil,
  onError,
}: Pick<HandlerSettings<Context>, 'waitUntil' | 'onError'>) {
  return async (c: HonoContext<RampEnv<Context>>, work: () => Promise<void>): Promise<void> => {
    const done = work();
    if (!waitUntil) return done;
    try {
      waitUntil(done, { request: c.req.raw, context: c.env.context });
    } catch (error) {
      // `waitUntil` itself has thrown, for example because Next's `after` was called outside a request. The response
      // must then wait for the work.
      onError(error);
      await done;
    }
  };
}
