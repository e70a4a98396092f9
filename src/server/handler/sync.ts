import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { RequestError, toErrorResponse } from '../internal/errorResponses.js';
import { sendJson } from '../internal/jsonResponse.js';
import type { RampEnv } from './createRampApp.js';
import type { HandlerSettings } from './options.js';

/**
 * Creates `GET` and `POST /sync`, which a scheduled job requests instead of timers: runs a sync of the tracker if one
 * is due, and returns its counts. Vercel's cron jobs send GET, others send POST.
 *
 * Only the header `Authorization: Bearer` is read. A secret in the query would be in the logs of every proxy. The route
 * has no CORS headers, because no page may call it.
 */
export function createSyncRoutes<Context>({
  syncSecret,
  tracker,
  onError,
}: HandlerSettings<Context>): Hono<RampEnv<Context>> {
  const app = new Hono<RampEnv<Context>>();
  app.all('/sync', async (c) => {
    try {
      if (syncSecret === undefined || !tracker)
        throw new RequestError(
          'ERR_NOT_FOUND',
          'createRamp has no serverless.syncSecret, so scheduled jobs cannot sync. Pass a secret of at least 32 characters.',
        );
      // Hono would pass a HEAD request to a GET route. A sync must not run for a request that only asks for headers.
      if (c.req.method !== 'GET' && c.req.method !== 'POST') {
        c.header('Allow', 'GET, POST');
        throw new RequestError('ERR_METHOD_NOT_ALLOWED', 'Request a sync with GET or POST.');
      }
      if (!hasSecret(c.req.header('authorization'), syncSecret)) {
        c.header('WWW-Authenticate', 'Bearer');
        throw new RequestError('ERR_SYNC_SECRET', UNAUTHORIZED);
      }
      return sendJson(c, await tracker.sync({ onlyIfDue: true }));
    } catch (error) {
      const { status, body } = toErrorResponse(error);
      if (status >= 500) onError(error);
      if (body.error.code === 'ERR_TIMEOUT') c.header('Retry-After', '5');
      return sendJson(c, body, status as 400);
    }
  });
  return app;
}

const UNAUTHORIZED =
  'This request has no or a wrong secret. Send the header "Authorization: Bearer …" with the serverless.syncSecret of createRamp. On Vercel, set the environment variable CRON_SECRET and pass it as syncSecret.';

/** Compares hashes, in constant time, so that neither the content nor the length of the secret shows in the time. */
function hasSecret(authorization: string | undefined, secret: string): boolean {
  const given = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(hash(given), hash(secret));
}

const hash = (text: string) => createHash('sha256').update(text).digest();
