import { createHash, timingSafeEqual } from 'node:crypto';
import type { Handler } from 'hono';
import { RequestError } from '../internal/errorResponses.js';
import { sendJson } from '../internal/jsonResponse.js';
import type { RampEnv } from './createRampApp.js';
import type { HandlerSettings } from './options.js';

/**
 * Creates `GET` and `POST /sync`, which a scheduled job calls in place of a timer: runs a sync if one is due, and
 * returns its counts. Vercel's cron jobs send GET, others send POST. Returns undefined without a `syncSecret`.
 *
 * The secret is read only from the header `Authorization: Bearer`. A secret in the query would end up in every proxy's
 * log. The route has no CORS headers, because no page may call it.
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
  'The secret is missing or wrong. Send the header "Authorization: Bearer …" with the serverless.syncSecret of createRamp. On Vercel, set the environment variable CRON_SECRET and pass it as syncSecret.';

/** Compares hashes in constant time, so that the time reveals neither the content nor the length of the secret. */
function hasSecret(authorization: string | undefined, secret: string): boolean {
  const given = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(hash(given), hash(secret));
}

const hash = (text: string) => createHash('sha256').update(text).digest();
