import { createHash, timingSafeEqual } from 'node:crypto';
import type { Handler } from 'hono';
import { RequestError } from '../internal/errorResponses.js';
import { sendJson } from '../internal/jsonResponse.js';
import type { RampEnv } from './createRampApp.js';
import type { HandlerSettings } from './options.js';

/**
 * Creates `GET` and `POST /sync`, which a scheduled job requests instead of timers: runs a sync of the tracker if one
 * is due, and returns its counts. Vercel's cron jobs send GET, others send POST. Returns undefined if scheduled jobs
 * cannot sync.
 *
 * Only the header `Authorization: Bearer` is read. A secret in the query would be in the logs of every proxy. The route
 * has no CORS headers, because no page may call it.
 */
export function createSyncRoute<Context>({
  syncSecret,
  tracker,
}: HandlerSettings<Context>): Handler<RampEnv<Context>> | undefined {
  if (syncSecret === undefined) return undefined;
  return async (c) => {
    if (!hasSecret(c.req.header('authorization'), syncSecret)) {
      c.header('WWW-Authenticate', 'Bearer');
      throw new RequestError('ERR_SYNC_SECRET', UNAUTHORIZED);
    }
    return sendJson(c, await tracker.sync({ onlyIfDue: true }));
  };
}

/** Refuses every request to `/sync`. */
export const refuseSync: Handler = () => {
  throw new RequestError(
    'ERR_NOT_FOUND',
    'createRamp has no serverless.syncSecret, so scheduled jobs cannot sync. Pass a secret of at least 32 characters.',
  );
};

const UNAUTHORIZED =
  'This request has no or a wrong secret. Send the header "Authorization: Bearer …" with the serverless.syncSecret of createRamp. On Vercel, set the environment variable CRON_SECRET and pass it as syncSecret.';

/** Compares hashes, in constant time, so that neither the content nor the length of the secret shows in the time. */
function hasSecret(authorization: string | undefined, secret: string): boolean {
  const given = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(hash(given), hash(secret));
}

const hash = (text: string) => createHash('sha256').update(text).digest();
