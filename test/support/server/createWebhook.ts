import { createPrivateKey, randomInt } from 'node:crypto';
import { buildRequestPayload } from '../../../src/protocol/index.js';
import { signRsaSha256, type WebhookRequest } from '../../../src/server/index.js';
import vectors from '../../vectors/signing.json' with { type: 'json' };

const { webhookPrivateKey, webhookPublicKey } = vectors.keys;
/** The service's private key. It is parsed only once, because parsing is slow and tests sign thousands of webhooks. */
const privateKey = createPrivateKey(webhookPrivateKey);

export { webhookPublicKey };

/** The webhook URL of the shop, which the service signs. */
export const webhookUrl = 'https://shop.example/hooks/ramp';
/** The time at which webhooks are signed by default, in Unix seconds. */
export const webhookTime = 1_790_000_000;

export interface TestWebhook extends WebhookRequest {
  readonly headers: Record<string, string>;
}

interface WebhookFields {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly timestamp?: number;
  readonly nonce?: number;
  readonly url?: string;
}

/** Creates a webhook with a valid signature of the service. */
export function createWebhook(made: WebhookFields = {}): TestWebhook {
  const { query = '', timestamp = webhookTime, nonce = randomInt(100_000, 1_000_000) } = made;
  const headers = {
    'X-Fp-Version': 'v1.0',
    'X-Fp-Timestamp': `${timestamp}`,
    'X-Fp-Nonce': `${nonce}`,
    'X-Fp-Partner-Id': 'partner-1',
    ...made.headers,
  };
  const url = `${made.url ?? webhookUrl}${query}`;
  const text = buildRequestPayload({ method: 'POST', url, headers });
  return {
    method: 'POST',
    headers: { ...headers, 'X-Fp-Signature': signRsaSha256(text, privateKey) },
    query,
    body: new TextEncoder().encode(JSON.stringify(made.body ?? { orderId: 'o1', orderStatus: 3 })),
  };
}
