import { randomInt } from 'node:crypto';
import type { SandboxOrder } from '../sandbox/orders.js';
import { signWebhook } from '../sandbox/webhooks/signWebhook.js';
import { readOptions, unchecked } from '../server/internal/options.js';
import { getTestKeys } from './testKeys.js';

/** A test backend's webhook URL with the default `basePath`. */
const WEBHOOK_URL = 'https://shop.example/api/ramp/webhook';

/** Options of {@link signedWebhook}. */
export interface SignedWebhookOptions {
  /** Your webhook URL as registered with the service. It is signed. @default 'https://shop.example/api/ramp/webhook' */
  readonly url?: string | undefined;
  /** When the webhook is signed, Unix seconds. @default now */
  readonly timestamp?: number | undefined;
}

/** A webhook with a valid signature: the URL and the options of `fetch`, and the key that verifies it. */
export interface TestWebhook {
  readonly url: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
  /** The service's public key, PEM text: the `publicKey` of `createWebhookVerifier`. Each process creates a new one. */
  readonly publicKey: string;
}

/**
 * Signs a webhook as the service does (service interface, section 5.2). Test backends in the same process also accept
 * it.
 *
 * @param order - The order that the webhook announces. Only its `ext`, the reference of the checkout, is read.
 * @example
 * const { url, publicKey, ...request } = signedWebhook({ ext: reference });
 * const response = await handler(new Request(url, request));
 */
export function signedWebhook(
  order: Partial<SandboxOrder>,
  options?: SignedWebhookOptions,
): TestWebhook {
  const { url = WEBHOOK_URL, timestamp = Math.floor(Date.now() / 1000) } = readOptions(
    'signedWebhook',
    options,
    { url: unchecked<string>(), timestamp: unchecked<number>() },
  );
  const { partnerId, privateKey, publicKey } = getTestKeys();
  const { headers, body } = signWebhook({
    ...{ url, partnerId, privateKey, timestamp },
    nonce: randomInt(100_000, 1_000_000),
    body: JSON.stringify(order),
  });
  const key = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return { url, method: 'POST', headers, body, publicKey: key };
}
