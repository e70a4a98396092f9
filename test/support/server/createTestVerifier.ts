import { expect } from 'vitest';
import {
  createWebhookVerifier,
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
    now: () => webhookTime * 1000,
    ...options,
  });
export const getRejectionReason = (
  request: WebhookRequest,
  options: Partial<WebhookVerifierOptions> = {},
): WebhookReason | 'accepted' => {
  try {
    createTestVerifier(options).verify(request);
    return 'accepted';
  } catch (error) {
    expect(error).toMatchObject({ name: 'RampError', code: 'ERR_WEBHOOK_VERIFICATION' });
    return (error as WebhookError).reason;
  }
};
export const addHeaders = (request: TestWebhook, headers: Record<string, unknown>) =>
  ({ ...request, headers: { ...request.headers, ...headers } }) as WebhookRequest;
