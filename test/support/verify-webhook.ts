import { expect } from 'vitest';
import {
  createWebhookVerifier,
  memoryOrderStore,
  type WebhookError,
  type WebhookReason,
  type WebhookRequest,
  type WebhookVerifierOptions,
} from '../../src/server/index.js';
import { now, type Webhook, webhookPublicKey, webhookUrl } from './webhooks.js';

export const verifier = (options: Partial<WebhookVerifierOptions> = {}) =>
  createWebhookVerifier({
    publicKey: webhookPublicKey,
    url: webhookUrl,
    replays: memoryOrderStore(),
    now: () => now * 1000,
    ...options,
  });
/** Why it is refused, if it is. */
export const reasonOf = async (
  request: WebhookRequest,
  options: Partial<WebhookVerifierOptions> = {},
): Promise<WebhookReason | 'accepted'> => {
  const error = await verifier(options)
    .verify(request)
    .then(
      () => undefined,
      (error: WebhookError) => error,
    );
  if (error) expect(error).toMatchObject({ name: 'RampError', code: 'ERR_WEBHOOK_VERIFICATION' });
  return error?.reason ?? 'accepted';
};
export const withHeaders = (request: Webhook, headers: Record<string, unknown>) =>
  ({ ...request, headers: { ...request.headers, ...headers } }) as WebhookRequest;
