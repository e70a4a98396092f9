import { type KeyObject, sign } from 'node:crypto';

export interface SignedWebhook {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebhookContent {
  /** The partner's address, with whatever query it was given. */
  readonly url: string;
  readonly partnerId: string;
  readonly privateKey: KeyObject;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly nonce: number;
  readonly body: string;
}

/**
 * A webhook as the service sends it (section 5.2): the `x-fp-*` headers and the query are signed, the
 * body is not. By code of its own, so that a fault of the partner's side does not cancel out.
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
