import { expect } from 'vitest';
import {
  createWebhookVerifier,
  memoryOrderStore,
  type WebhookError,
  type WebhookReason,
  type WebhookRequest,
  type WebhookVerifierOptions,
} from '../../../src/server/index.js';
import { type TestWebhook, webhookPublicKey, webhookTime, webhookUrl } from './createWebhook.js';

export const createTestVerifier = (options: Partial<WebhookVerifierOptions> = {}) =>
  createWebhookVerifier({
    publicKey: webhookPublicKey,
    url: webhookUrl,
    replays: memoryOrderStore(),
    now: () => webhookTime * 1000,
    ...options,
  });
export const getRejectionReason = async (
  request: WebhookRequest,
  options: Partial<WebhookVerifierOptions> = {},
): Promise<WebhookReason | 'accepted'> => {
  const error = await createTestVerifier(options)
    .verify(request)
    .then(
      () => undefined,
      (error: WebhookError) => error,
    );
  if (error) expect(error).toMatchObject({ name: 'RampError', code: 'ERR_WEBHOOK_VERIFICATION' });
  return error?.reason ?? 'accepted';
};
export const addHeaders = (request: TestWebhook, headers: Record<string, unknown>) =>
  ({ ...request, headers: { ...request.headers, ...headers } }) as WebhookRequest;
