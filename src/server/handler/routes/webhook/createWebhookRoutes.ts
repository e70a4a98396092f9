import { Hono } from 'hono';
import { isReference } from '../../../internal/createReference.js';
import { RequestError } from '../../../internal/RequestError.js';
import { decodeUtf8, readBodyWithLimit } from '../../../internal/readBodyWithLimit.js';
import { toErrorResponse } from '../../../internal/toErrorResponse.js';
import { WebhookError } from '../../../webhooks/WebhookError.js';
import type { HandlerSettings } from '../../HandlerSettings.js';
import type { RampEnv } from '../../RampEnv.js';

/** The settings of the handler that this route uses. */
export type WebhookRouteOptions = Pick<HandlerSettings<never>, 'webhooks' | 'tracker' | 'onError'>;

const MAX_BODY_BYTES = 64 * 1024;

/**
 * Creates `POST /webhook`: verifies a webhook before it parses the body, then requests a sync. The body is
 * not signed, so it is used only to find the checkout whose order was announced.
 */
export function createWebhookRoutes<Context>({
  webhooks,
  tracker,
  onError,
}: WebhookRouteOptions): Hono<RampEnv<Context>> {
  const app = new Hono<RampEnv<Context>>();
  const requestSync = async (reference?: string) => {
    try {
      await tracker?.requestSync(reference);
    } catch (error) {
      // The webhook is genuine although the sync failed.
      onError(error);
    }
  };
  app.post('/webhook', async (c) => {
    if (!webhooks)
      throw new RequestError(
        404,
        'createRampHandler has no webhooks, so it does not accept webhooks. Pass the result of createWebhookVerifier() as webhooks.',
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
      // The webhook is genuine and may not be sent again, so sync although its replay check failed.
      const isGenuine = error instanceof WebhookError && error.reason === 'replay-store';
      if (isGenuine) await requestSync();
      const { status, body } = toErrorResponse(error);
      return c.json(body, isGenuine ? 503 : (status as 401));
    }
  });
  app.all('/webhook', (c) => {
    c.header('Allow', 'POST');
    throw new RequestError(405, 'Send webhooks with POST.');
  });
  return app;
}

/** Returns the reference of the checkout that a webhook body names, if any. */
function readReference(body: Uint8Array): string | undefined {
  try {
    const { order, ext } = JSON.parse(decodeUtf8(body));
    const reference = ext ?? order?.ext;
    return isReference(reference) ? reference : undefined;
  } catch {
    return undefined;
  }
}
