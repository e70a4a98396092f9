import { expect } from 'vitest';
import {
  createWebhookVerifier,
  type WebhookError,
  type WebhookReason,
  type WebhookRequest,
  type WebhookVerifierOptions,
} from '../../../src/server/index.js';
import type { Runtime } from '../../../src/server/internal/runtime.js';
import { type TestWebhook, webhookPublicKey, webhookTime, webhookUrl } from './createWebhook.js';
import { testRuntime } from './testRuntime.js';

/** Creates a verifier whose clock stands still at `webhookTime`. */
export const createTestVerifier = (
  options: Partial<WebhookVerifierOptions> = {},
  runtime: Partial<Runtime> = {},
) =>
  createWebhookVerifier(
    { publicKey: webhookPublicKey, url: webhookUrl, ...options },
    testRuntime({ now: () => webhookTime * 1000, ...runtime }),
  );
export const getRejectionReason = (
  request: WebhookRequest,
  options: Partial<WebhookVerifierOptions> = {},
  runtime: Partial<Runtime> = {},
): WebhookReason | 'accepted' => {
  try {
    createTestVerifier(options, runtime).verify(request);
    return 'accepted';
  } catch (error) {
    expect(error).toMatchObject({ name: 'RampError', code: 'ERR_WEBHOOK_VERIFICATION' });
    return (error as WebhookError).reason;
  }
};
export const addHeaders = (request: TestWebhook, headers: Record<string, unknown>) =>
  ({ ...request, headers: { ...request.headers, ...headers } }) as WebhookRequest;
