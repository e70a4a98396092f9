import { generateKeyPairSync, sign } from 'node:crypto';
import type { ReceivedRequest } from '../../../src/sandbox/explain/signedMessage.js';
import {
  otherKeys,
  type RequestSigner,
  requestMistakes,
  type SignerMistake,
  signRequest,
} from './signerMistakes.js';

/** The keys of the partner's API requests. They differ from those of webhooks. */
export const apiKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Keys that nobody knows. */
export const unknownKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** A mistake of whoever signs a webhook, or of what stands between the service and the backend that receives it. */
interface WebhookMistake extends SignerMistake<Partial<RequestSigner>> {
  /** What arrives, if it is not what was sent. */
  readonly receive?: (sent: ReceivedRequest) => Partial<ReceivedRequest>;
}

const query = { store: 'North & Süd', level: '1.50', live: '1', tag: '' };
const body = '{"orderId":"1","orderStatus":3,"paid":true}';

/** Signs a webhook with a mistake, which may change how it is signed, and how it arrives. */
export function sendWebhook({ change, receive }: Partial<WebhookMistake> = {}) {
  const address = { method: 'POST', host: 'shop.example', path: '/ramp/webhook' };
  const { text, ...signed } = signRequest({ ...address, query, ...change });
  const sent: ReceivedRequest = { ...signed, body };
  return { ...sent, ...receive?.(sent), text };
}

const webhook = (
  id: string,
  title: string,
  change: Partial<RequestSigner>,
  receive?: WebhookMistake['receive'],
): WebhookMistake => ({ id, title, change, ...(receive && { receive }) });

const readdress =
  (from: RegExp, to: string) =>
  ({ url }: ReceivedRequest) => ({ url: url.replace(from, to) });
const withHeader =
  (name: string, value: string) =>
  ({ headers }: ReceivedRequest) => ({ headers: [...headers, [name, value] as const] });
const pick = (pickItems: RequestSigner['pick']): Partial<RequestSigner> => ({ pick: pickItems });
const set = (name: string, to: (value: string) => string) =>
  pick((items) => items.map(([key, value]) => [key, key === name ? to(value) : value]));
const fields: [string, string][] = [
  ['orderId', '1'],
  ['orderStatus', '3'],
  ['paid', 'true'],
];

/** Mistakes of API requests that need their address or their parameters. */
const onlyOfRequests =
  /^(?:empty-value|null-as-text|number-format|name-case|port-added|port-missing|path-shortened|other-method)$/;

/** The known mistakes with webhooks. */
export const webhookMistakes: readonly WebhookMistake[] = [
  ...requestMistakes.filter(({ id, change }) => !onlyOfRequests.test(id) && !('query' in change)),
  webhook('other-host', 'arrives behind a proxy with another host', {}, (sent) => ({
    ...readdress(/shop\.example/, 'shop.internal')(sent),
    ...withHeader('X-Forwarded-Host', 'shop.example')(sent),
  })),
  webhook(
    'other-host',
    'is sent to localhost and verified as 127.0.0.1',
    { host: 'localhost' },
    readdress(/localhost/, '127.0.0.1'),
  ),
  webhook(
    'port-missing',
    'arrives at a port that is not in the registered address',
    {},
    readdress(/(?<=\/\/[^/:]*)\//, ':8443/'),
  ),
  webhook(
    'port-added',
    'was registered with the port of https',
    { host: 'shop.example:443' },
    readdress(/:443\//, '/'),
  ),
  webhook('trailing-slash', 'arrives with a slash at the end', {}, readdress(/\?/, '/?')),
  webhook(
    'trailing-slash',
    'arrives without the slash at the end',
    { path: '/ramp/webhook/' },
    readdress(/\/\?/, '?'),
  ),
  webhook('double-slash', 'arrives with two slashes', {}, readdress(/(?<=[a-z\d])\//, '//')),
  webhook('path-shortened', 'arrives with a prefix', {}, readdress(/(?<=[a-z\d])(?=\/)/, '/api')),
  webhook('other-method', 'arrives with another method', {}, () => ({ method: 'PUT' })),
  webhook(
    'missing-parameter',
    'arrives with an X-Fp header that was not signed',
    {},
    withHeader('X-Fp-Trace', 'a1'),
  ),
  webhook('missing-parameter', 'arrives with a parameter that was not signed', {}, ({ url }) => ({
    url: `${url}&utm=mail`,
  })),
  webhook('empty-value', 'signs an empty parameter', {
    ...pick((items) => [...items, ['tag', '']]),
    query,
  }),
  webhook('null-as-text', 'signs null for an empty parameter', {
    ...pick((items) => [...items, ['tag', 'null']]),
    query,
  }),
  webhook('value-trimmed', 'trims a parameter before signing', {
    ...set('store', (value) => value.trim()),
    query: { store: ' North ' },
  }),
  webhook(
    'boolean-as-text',
    'signs true for 1',
    set('live', () => 'true'),
  ),
  webhook(
    'number-format',
    'signs a number without its zeros',
    set('level', () => '1.5'),
  ),
  webhook('plus-as-space', 'has a plain + in its address', {
    query: { store: 'North+Mid' },
    writeParam: (value) => value,
  }),
  webhook('name-case', 'writes the names of parameters in lower case', {
    query: { storeName: 'North' },
    ...pick((items) => items.map(([name, value]) => [name.toLowerCase(), value])),
  }),
  webhook('body-signed', 'signs the body behind the items', { wrap: (text) => `${text}${body}` }),
  webhook('body-signed', 'signs & and the body behind the items', {
    wrap: (text) => `${text}&${body}`,
  }),
  webhook(
    'body-signed',
    'signs the fields of the body',
    pick((items) => [...items, ...fields]),
  ),
  webhook('body-signed', 'signs only the body', { wrap: () => body }),
  webhook('another-secret', 'is signed with the APIPrivateKey', {
    sign: (text) => sign('sha256', Buffer.from(text), apiKeys.privateKey),
  }),
  webhook('another-secret', 'is signed with the key of another environment', {
    sign: (text) => sign('sha256', Buffer.from(text), otherKeys.privateKey),
  }),
  webhook('order', 'sorts with localeCompare', {
    query: { Store: 'North', live: '1' },
    sort: (entries) => entries.sort(([a], [b]) => a.localeCompare(b, 'en')),
  }),
];
