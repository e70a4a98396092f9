import type { Hono } from 'hono';
import { RequestError, toErrorResponse } from '../../internal/httpErrors.js';
import { decodeUtf8, readBodyWithLimit } from '../../internal/readBodyWithLimit.js';
import type { HandlerTracker } from '../../orders/tracker/OrderTracker.js';
import type { WebhookVerifier } from '../../webhooks/createWebhookVerifier.js';
import { WebhookError } from '../../webhooks/WebhookError.js';
import { isReference } from '../isReference.js';
import type { RampEnv } from './checkoutRoute.js';

export interface WebhookRouteOptions {
  readonly webhooks: WebhookVerifier | undefined;
  readonly tracker: HandlerTracker | undefined;
  readonly onError: (error: unknown) => void;
}

const MAX_BODY_BYTES = 64 * 1024;

/**
 * `POST /webhook`: verified before it is looked into, answered, and then a requestSync. Its body says which
 * checkout to look at, and nothing that is believed: it is not signed.
 */
export function webhookRoute<Context>(
  app: Hono<RampEnv<Context>>,
  { webhooks, tracker, onError }: WebhookRouteOptions,
): void {
  const requestSync = async (reference?: string) => {
    try {
      await tracker?.requestSync(reference);
    } catch (error) {
      // The webhook is genuine all the same.
      onError(error);
    }
  };
  app.post('/webhook', async (c) => {
    if (!webhooks)
      throw new RequestError(
        404,
        'createRampHandler has no webhooks, so it accepts none. Pass the result of createWebhookVerifier() as webhooks.',
      );
    const { raw } = c.req;
    const body = await readBodyWithLimit(raw.body, MAX_BODY_BYTES);
    if (!body) throw new RequestError(413, `The body is larger than ${MAX_BODY_BYTES / 1024} KB.`);
    const { search: query } = new URL(raw.url);
    try {
      const { method, headers } = raw;
      const { isReplay } = await webhooks.verify({ method, headers, query, body });
      if (!isReplay) await requestSync(readReference(body));
      return c.json({});
    } catch (error) {
      onError(error);
      // It is genuine, and may not come again: the list is read all the same.
      const isGenuine = error instanceof WebhookError && error.reason === 'replay-store';
      if (isGenuine) await requestSync();
      return c.json(toErrorResponse(error).body, isGenuine ? 503 : 401);
    }
  });
  app.all('/webhook', (c) => {
    c.header('Allow', 'POST');
    throw new RequestError(405, 'Webhooks come with POST.');
  });
}

/** The reference of the checkout that a body speaks of, if it does. */
function readReference(body: Uint8Array): string | undefined {
  try {
    const { order, ext } = JSON.parse(decodeUtf8(body));
    const reference = ext ?? order?.ext;
    return isReference(reference) ? reference : undefined;
  } catch {
    return undefined;
  }
}
