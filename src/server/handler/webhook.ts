import type { Handler } from 'hono';
import { trace, type Update } from '../diagnostics.js';
import { RequestError, toErrorResponse } from '../internal/errorResponses.js';
import { sendJson } from '../internal/jsonResponse.js';
import { isCreatedReference } from '../internal/reference.js';
import { readRequestBody } from '../internal/requestBody.js';
import { getSeconds } from '../internal/runtime.js';
import type { VerifiedWebhook } from '../webhooks/createWebhookVerifier.js';
import { isWebhookError, WebhookError } from '../webhooks/WebhookError.js';
import { createBackgroundWork } from './backgroundWork.js';
import type { RampEnv } from './createRampApp.js';
import type { HandlerSettings } from './options.js';

const MAX_BODY_BYTES = 64 * 1024;
/** How much longer than necessary a webhook is remembered, in case the instances' clocks differ. */
const KEEP_SECONDS = 360;

/**
 * Creates `POST /webhook`: verifies a webhook, records it, and requests a sync. If the webhook names a checkout, the
 * announcement of its order is stored before the response.
 */
export function createWebhookRoute<Context>(
  settings: HandlerSettings<Context>,
): Handler<RampEnv<Context>> {
  const { webhooks, store, tracker, runtime, onError, progress } = settings;
  const runAfterResponse = createBackgroundWork(settings);
  /** Returns whether the webhook was received before, and announces its order in either case. */
  const record = async ({ id, expiresAt, reference }: VerifiedWebhook): Promise<boolean> => {
    try {
      const isNew = await store.claimReplay(
        id,
        expiresAt + KEEP_SECONDS,
        getSeconds(runtime),
        reference,
      );
      return isNew !== true;
    } catch (cause) {
      throw new WebhookError('replay-store', cause);
    }
  };
  // The webhook is accepted even if the sync fails, because it is genuine. The tracker reports the failure.
  const requestSync = () => tracker.requestSync();
  return async (c) => {
    if (!webhooks)
      throw new RequestError(
        'ERR_NOT_FOUND',
        'createRamp has no webhookUrl, so it does not accept webhooks. Pass webhookUrl and webhookPublicKey.',
      );
    const { raw } = c.req;
    const body = await progress.waitForBody(() => readRequestBody(raw, MAX_BODY_BYTES));
    if (!body)
      throw new RequestError(
        'ERR_BODY_TOO_LARGE',
        `The body is larger than ${MAX_BODY_BYTES / 1024} KB.`,
      );
    const { search: query } = new URL(raw.url);
    const { method, headers } = raw;
    const accept = async (update: Update<'partner-ramp:webhook'>) => {
      const webhook = webhooks.verify({ method, headers, query, body });
      const { reference } = webhook;
      // The reference may come from an unsigned body. Publish it only in the format of this package's references.
      if (reference !== undefined && isCreatedReference(reference)) update({ reference });
      const isReplay = await record(webhook);
      // Sync for a replay too, because it may be a different webhook with the same second and nonce.
      await runAfterResponse(c, requestSync);
      update({ outcome: isReplay ? 'replay' : 'accepted' });
    };
    try {
      await trace('partner-ramp:webhook', runtime, {}, (update) =>
        accept(update).catch((error) => {
          if (isWebhookError(error)) update({ reason: error.reason });
          throw error;
        }),
      );
      return sendJson(c, {});
    } catch (error) {
      onError(error);
      // Sync even though the store failed: the webhook is genuine, and the service may not send it again.
      const isGenuine = isWebhookError(error) && error.reason === 'replay-store';
      if (isGenuine) await runAfterResponse(c, requestSync);
      const { status, body } = toErrorResponse(error);
      return sendJson(c, body, isGenuine ? 503 : (status as 401));
    }
  };
}
