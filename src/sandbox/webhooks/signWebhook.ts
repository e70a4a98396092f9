import { type KeyObject, sign } from 'node:crypto';

export interface SignedWebhook {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebhookContent {
  /** The partner's webhook URL, including its query. */
  readonly url: string;
  readonly partnerId: string;
  readonly privateKey: KeyObject;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly nonce: number;
  readonly body: string;
}

/**
 * Signs a webhook as the service does (service interface, section 5.2): the method, the host, the path, the
 * query and the `x-fp-*` headers are signed, the body is not. This function shares no code with the verifier: if both
 * used the same faulty code, the signatures would match and no test would find the fault.
 */
export function signWebhook({
  url,
  partnerId,
  privateKey,
  timestamp,
  nonce,
  body,
}: WebhookContent) {
  const headers = {
    'X-Fp-Version': 'v1.0',
    'X-Fp-Timestamp': `${timestamp}`,
    'X-Fp-Nonce': `${nonce}`,
    'X-Fp-Partner-Id': partnerId,
  };
  const { host, pathname, searchParams } = new URL(url);
  const pairs: [string, string][] = [...searchParams];
  for (const [name, value] of Object.entries(headers)) pairs.push([name.toLowerCase(), value]);
  const joined = pairs
    .filter(([name, value]) => name !== '' && value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&');
  const text = `POST${host}${pathname}?${joined}`;
  const signature = sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64');
  const signed: SignedWebhook = {
    url,
    headers: { ...headers, 'Content-Type': 'application/json', 'X-Fp-Signature': signature },
    body,
  };
  return signed;
}
