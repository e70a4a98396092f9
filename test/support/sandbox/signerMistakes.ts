import {
  constants,
  createHash,
  createHmac,
  createSign,
  generateKeyPairSync,
  sign,
} from 'node:crypto';
import { partnerId, secretKey, wallet } from './signQuery.js';

/** A signer with one mistake: its ID, and what it does otherwise than a right one. */
export interface SignerMistake<Change> {
  readonly id: string;
  readonly title: string;
  readonly change: Change;
}

type Entry = [name: string, value: string];

/** With this nonce, the signature of `signedParams` has a + in base64. */
const NONCE = '100003';

export const otherSecret = 'Q8sDqTz7XkWm2VbLpRe4YcUfHj6GnAo1';
export const signedParams: Readonly<Record<string, string>> = {
  walletAddress: wallet,
  partnerId,
  timestamp: '1986217096',
  nonce: '931496',
  walletAddressLocked: '1',
  ext: "order 7/ (a*'b)~é!",
};
const unsignedParams: Readonly<Record<string, string>> = {
  language: 'de',
  amount: '99.50',
  email: 'ann+b@shop.example',
};
const signedNames = [...Object.keys(signedParams), 'walletAddressHidden'];

/** A signer of widget URLs as partners write it, step by step, so that a test can replace each step. */
export interface WidgetSigner {
  /** What is sent, in this order. */
  readonly params: Readonly<Record<string, string>>;
  /** Changes the items that a right signer signs. */
  readonly pick: (items: Entry[], params: Entry[]) => Entry[];
  readonly encode: (value: string, name: string) => string;
  readonly sort: (entries: Entry[]) => Entry[];
  readonly join: (entries: Entry[]) => string;
  readonly wrap: (text: string, query: string) => string;
  readonly key: string | Buffer;
  readonly sign: (text: string, key: string | Buffer) => string | Buffer;
  readonly write: (signature: Buffer) => string;
  /** Changes the text of the signature. */
  readonly dress: (text: string) => string;
  readonly writeInUrl: (signature: string) => string;
  readonly writeParam: (value: string) => string;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const rightSigner: WidgetSigner = {
  params: { ...signedParams, ...unsignedParams },
  pick: (items) => items,
  encode: (value, name) => (name === 'ext' ? encodeURIComponent(value) : value),
  sort: (entries) => entries.sort(([a], [b]) => compare(a, b)),
  join: (entries) => entries.map((entry) => entry.join('=')).join('&'),
  wrap: (text) => text,
  key: secretKey,
  sign: (text, key) => createHmac('sha256', key).update(text).digest(),
  write: (signature) => signature.toString('base64'),
  dress: (text) => text,
  writeInUrl: encodeURIComponent,
  writeParam: encodeURIComponent,
};

/** Signs a widget URL with a signer that differs from the right one in these steps. */
export function signWidgetUrl(change: Partial<WidgetSigner> = {}) {
  const signer: WidgetSigner = { ...rightSigner, ...change };
  const entries = Object.entries(signer.params);
  const query = entries.map(([name, value]) => `${name}=${signer.writeParam(value)}`).join('&');
  const items = entries.filter(([name, value]) => signedNames.includes(name) && value !== '');
  const encoded = signer
    .pick(structuredClone(items), entries)
    .map(([name, value]): Entry => [name, signer.encode(value, name)]);
  const text = signer.wrap(signer.join(signer.sort(encoded)), query);
  const signature = signer.dress(signer.write(Buffer.from(signer.sign(text, signer.key))));
  const url = `https://pay.example/home?${query}&signature=${signer.writeInUrl(signature)}`;
  return { url, text };
}

const hash = (text: string | Buffer) => createHash('sha256').update(text);
const without =
  (...left: string[]): WidgetSigner['pick'] =>
  (items) =>
    items.filter(([name]) => !left.includes(name));
const plus = (...more: Entry[]): WidgetSigner['pick'] => {
  return (items) => [...items, ...more];
};
const change = (name: string, to: (value: string) => string): WidgetSigner['pick'] => {
  return (items) => items.map(([key, value]) => [key, key === name ? to(value) : value]);
};
const encodeExt = (encode: (value: string) => string): WidgetSigner['encode'] => {
  return (value, name) => (name === 'ext' ? encode(value) : value);
};
const rawUrlEncode = (value: string) =>
  encodeURIComponent(value).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
const formEncode = (value: string) => new URLSearchParams({ v: value }).toString().slice(2);
const lowerHex = (value: string) =>
  encodeURIComponent(value).replace(/%../g, (code) => code.toLowerCase());
const wrapEach = (text: string, width: number) =>
  text.replace(new RegExp(`.{${width}}`, 'g'), '$&\n');

type WidgetMistake = SignerMistake<Partial<WidgetSigner>>;
const widget = (id: string, title: string, step: Partial<WidgetSigner>): WidgetMistake => ({
  id,
  title,
  change: step,
});

/** The known mistakes of signers of widget URLs. */
export const widgetMistakes: readonly WidgetMistake[] = [
  widget('missing-parameter', 'does not sign the nonce', { pick: without('nonce') }),
  widget('missing-parameter', 'does not sign ext', { pick: without('ext') }),
  widget('unsigned-parameter', 'signs the language', {
    pick: (items, params) => [...items, ...params.filter(([name]) => name === 'language')],
  }),
  widget('unsigned-parameter', 'signs every parameter', {
    pick: (items, params) => [
      ...items,
      ...params.filter(([name, value]) => value !== '' && !signedNames.includes(name)),
    ],
  }),
  widget('empty-value', 'signs an empty parameter that it sends', {
    params: { ...signedParams, walletAddressHidden: '' },
    pick: plus(['walletAddressHidden', '']),
  }),
  widget('empty-value', 'signs an empty parameter that it does not send', {
    pick: plus(['walletAddressHidden', '']),
  }),
  widget('null-as-text', 'signs null as text', { pick: plus(['walletAddressHidden', 'null']) }),
  widget('null-as-text', 'signs undefined as text', {
    pick: plus(['walletAddressHidden', 'undefined']),
  }),
  widget('signature-signed', 'signs an empty signature', { pick: plus(['signature', '']) }),
  widget('value-case', 'signs the wallet in lower case', {
    pick: change('walletAddress', (value) => value.toLowerCase()),
  }),
  widget('boolean-as-text', 'signs true for 1', {
    pick: change('walletAddressLocked', () => 'true'),
  }),
  widget('number-format', 'signs a number with another number of zeros', {
    pick: change('nonce', (value) => `${value}.00`),
  }),
  widget('milliseconds', 'signs milliseconds', {
    pick: change('timestamp', (value) => `${value}000`),
  }),
  widget('sent-encoded-twice', 'encodes ext twice in the URL', {
    writeParam: (value) =>
      encodeURIComponent(value.includes('order') ? encodeURIComponent(value) : value),
  }),
  widget('plus-as-space', 'sends a plain + in ext', {
    params: { ...signedParams, ext: 'a+b' },
    writeParam: (value) => encodeURIComponent(value).replaceAll('%2B', '+'),
  }),
  widget('order', 'does not sort', { sort: (entries) => entries }),
  widget('order', 'sorts in descending order', {
    sort: (entries) => entries.sort(([a], [b]) => compare(b, a)),
  }),
  widget('values-encoded', 'encodes all values before signing', {
    encode: encodeURIComponent,
    params: { ...signedParams, walletAddress: 'a:b/c' },
  }),
  widget('values-encoded', 'encodes all values before signing, and ext twice', {
    encode: (value, name) => encodeURIComponent(name === 'ext' ? encodeURIComponent(value) : value),
    params: { ...signedParams, walletAddress: 'a:b/c' },
  }),
  widget('ext-not-encoded', 'signs ext as plain text', { encode: (value) => value }),
  widget('ext-encoded-twice', 'encodes ext twice before signing', {
    encode: encodeExt((value) => encodeURIComponent(encodeURIComponent(value))),
  }),
  widget('ext-encoded-otherwise', 'encodes ext with rawurlencode', {
    encode: encodeExt(rawUrlEncode),
  }),
  widget('ext-encoded-otherwise', 'encodes ext as a form', { encode: encodeExt(formEncode) }),
  widget('ext-encoded-otherwise', 'encodes ext with lower-case digits', {
    encode: encodeExt(lowerHex),
  }),
  widget('name-case', 'writes names in lower case', {
    pick: (items) => items.map(([name, value]) => [name.toLowerCase(), value]),
  }),
  widget('separators', 'joins with nothing', {
    join: (entries) => entries.map((entry) => entry.join('=')).join(''),
  }),
  widget('values-only', 'joins only the values', {
    join: (entries) => entries.map(([, value]) => value).join(''),
  }),
  widget('ends', 'leaves a & at the end', { wrap: (text) => `${text}&` }),
  widget('ends', 'begins with ?', { wrap: (text) => `?${text}` }),
  widget('ends', 'signs a line break', { wrap: (text) => `${text}\n` }),
  widget('target-signed', 'signs the address', {
    wrap: (text) => `https://pay.example/home?${text}`,
  }),
  widget('query-as-sent', 'signs the query as it is', { wrap: (_, query) => query }),
  widget('query-as-sent', 'signs the query with its ?', { wrap: (_, query) => `?${query}` }),
  widget('json', 'signs JSON', {
    join: (entries) => JSON.stringify(Object.fromEntries(entries)),
    encode: (value) => value,
  }),
  widget('key-base64-decoded', 'decodes the key as base64', {
    key: Buffer.from(secretKey, 'base64'),
  }),
  widget('key-white-space', 'keeps the line break of the key file', { key: `${secretKey}\n` }),
  widget('key-quoted', 'keeps the quotes of the .env file', { key: `"${secretKey}"` }),
  widget('key-missing', 'signs without a key', { key: '' }),
  widget('key-missing', 'signs with undefined as the key', { key: 'undefined' }),
  widget('another-secret', 'has the key of another environment', { key: otherSecret }),
  widget('another-secret', 'takes the partner ID as the key', { key: partnerId }),
  ...['sha1', 'sha512', 'md5'].map((name) =>
    widget('algorithm', `signs with ${name}`, {
      sign: (text, key) => createHmac(name, key).update(text).digest(),
    }),
  ),
  widget('digest-signed', 'signs the hash of the text', {
    sign: (text, key) => createHmac('sha256', key).update(hash(text).digest('hex')).digest(),
  }),
  widget('hash-for-hmac', 'hashes the text with the key behind it', {
    sign: (text, key) => hash(text).update(key).digest(),
  }),
  widget('hash-for-hmac', 'hashes the text with &key= and the key behind it, with MD5', {
    sign: (text, key) => createHash('md5').update(`${text}&key=${key}`).digest(),
  }),
  widget('hash-for-hmac', 'hashes the text alone', { sign: (text) => hash(text).digest() }),
  widget('key-and-text-swapped', 'swaps key and text', {
    sign: (text, key) => createHmac('sha256', text).update(key).digest(),
  }),
  widget('signature-hex', 'sends hexadecimal', { write: (bytes) => bytes.toString('hex') }),
  widget('signature-hex', 'sends upper-case hexadecimal', {
    write: (bytes) => bytes.toString('hex').toUpperCase(),
  }),
  widget('signature-padding', 'leaves out the padding', {
    write: (bytes) => bytes.toString('base64').replace(/=+$/, ''),
  }),
  widget('signature-base64-of-hex', 'encodes the hexadecimal text', {
    write: (bytes) => Buffer.from(bytes.toString('hex')).toString('base64'),
  }),
  widget('signature-encoded-twice', 'percent-encodes the signature twice', {
    writeInUrl: (text) => encodeURIComponent(encodeURIComponent(text)),
  }),
  widget('signature-line-breaks', 'breaks the lines of the base64', {
    dress: (text) => wrapEach(text, 40),
  }),
  widget('signature-prefixed', 'sends sha256= first', {
    dress: (text) => `sha256=${text}`,
  }),
  widget('signature-cut-off', 'cuts the signature off', {
    dress: (text) => text.slice(0, 32),
  }),
  // With this nonce, the signature has a + in base64, and a - in base64url.
  widget('signature-base64url', 'sends base64url', {
    params: { ...signedParams, nonce: NONCE },
    write: (bytes) => bytes.toString('base64url'),
  }),
  widget('signature-not-encoded', 'does not encode the signature', {
    params: { ...signedParams, nonce: NONCE },
    writeInUrl: (text) => text,
  }),
];

const partner = generateKeyPairSync('rsa', { modulusLength: 2048 });
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const { publicKey, privateKey } = partner;
export const otherKeys = stranger;

/** A signer of API requests and webhooks, step by step. */
export interface RequestSigner {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Changes the items that a right signer signs. */
  readonly pick: (items: Entry[]) => Entry[];
  readonly encode: (value: string) => string;
  readonly sort: (entries: Entry[]) => Entry[];
  readonly join: (entries: Entry[], query: string) => string;
  readonly start: (method: string, host: string, path: string) => string;
  readonly wrap: (text: string) => string;
  readonly sign: (text: string) => Buffer;
  readonly write: (signature: Buffer) => string;
  readonly dress: (text: string) => string;
  readonly writeParam: (value: string) => string;
}

const rightRequestSigner: RequestSigner = {
  method: 'GET',
  host: 'api.example:8443',
  path: '/open/api/onramp/price',
  query: {
    fiatCurrency: 'USD',
    currencyAmount: '100.00',
    cryptoCurrencyCode: 'USDT_ERC20',
    note: 'a b/ç',
  },
  headers: {
    'X-Fp-Version': 'v1.0',
    'X-Fp-Timestamp': '1986217096',
    'X-Fp-Nonce': '931496',
    'X-Fp-Partner-Id': partnerId,
  },
  pick: (items) => items,
  encode: (value) => value,
  sort: (entries) => entries.sort(([a], [b]) => compare(a, b)),
  join: (entries) => entries.map((entry) => entry.join('=')).join('&'),
  start: (method, host, path) => `${method}${host}${path}?`,
  wrap: (text) => text,
  sign: (text) => sign('sha256', Buffer.from(text), privateKey),
  write: (signature) => signature.toString('base64'),
  dress: (text) => text,
  writeParam: encodeURIComponent,
};

/** Signs a request with a signer that differs from the right one in these steps. */
export function signRequest(change: Partial<RequestSigner> = {}) {
  const signer: RequestSigner = { ...rightRequestSigner, ...change };
  const { method, host, path, query, headers } = signer;
  const all = [
    ...Object.entries(headers).map(([name, value]): Entry => [name.toLowerCase(), value]),
    ...Object.entries(query),
  ];
  const items = all.filter(([, value]) => value !== '');
  const entries = signer.pick(items).map(([name, value]): Entry => [name, signer.encode(value)]);
  const written = Object.entries(query)
    .map(([name, value]) => `${name}=${signer.writeParam(value)}`)
    .join('&');
  const text = signer.wrap(
    `${signer.start(method, host, path)}${signer.join(signer.sort(entries), written)}`,
  );
  const sent = signer.dress(signer.write(signer.sign(text)));
  return {
    method,
    url: `https://${host}${path}?${written}`,
    headers: Object.entries({
      ...headers,
      'Content-Type': 'application/json',
      'X-Fp-Signature': sent,
    }),
    text,
  };
}

type RequestMistake = SignerMistake<Partial<RequestSigner>>;
const request = (id: string, title: string, step: Partial<RequestSigner>): RequestMistake => ({
  id,
  title,
  change: step,
});
const isHeader = (name: string) => name.startsWith('x-fp-');
const sendEmpty = { query: { page: '1', payment: '' } };
const start = (build: RequestSigner['start']): Partial<RequestSigner> => ({ start: build });

/** The known mistakes of signers of API requests. */
export const requestMistakes: readonly RequestMistake[] = [
  request('missing-parameter', 'does not sign the version', {
    pick: (items) => items.filter(([name]) => name !== 'x-fp-version'),
  }),
  request('missing-parameter', 'does not sign the query', {
    pick: (items) => items.filter(([name]) => isHeader(name)),
  }),
  request('missing-parameter', 'does not sign the headers', {
    pick: (items) => items.filter(([name]) => !isHeader(name)),
  }),
  request('unsigned-parameter', 'signs the content type', {
    pick: (items) => [
      ...items.filter(([name]) => isHeader(name)),
      ['content-type', 'application/json'],
      ...items.filter(([name]) => !isHeader(name)),
    ],
  }),
  request('empty-value', 'signs an empty parameter', {
    ...sendEmpty,
    pick: (items) => [...items, ['payment', '']],
  }),
  request('null-as-text', 'signs null as text', {
    ...sendEmpty,
    pick: (items) => [...items, ['payment', 'null']],
  }),
  request('signature-signed', 'signs an empty signature', {
    pick: (items) => [...items, ['x-fp-signature', '']],
  }),
  request('number-format', 'signs the amount without its zeros', {
    pick: (items) => items.map(([name, value]) => [name, value === '100.00' ? '100' : value]),
  }),
  request('milliseconds', 'signs milliseconds', {
    pick: (items) =>
      items.map(([name, value]) => [name, name === 'x-fp-timestamp' ? `${value}000` : value]),
  }),
  request('value-case', 'signs the partner ID in lower case', {
    pick: (items) =>
      items.map(([name, value]) => [
        name,
        name === 'x-fp-partner-id' ? value.toLowerCase() : value,
      ]),
  }),
  request('name-case', 'writes names in lower case', {
    pick: (items) => items.map(([name, value]) => [name.toLowerCase(), value]),
  }),
  request('boolean-as-text', 'signs true for 1', {
    query: { flag: '1' },
    pick: (items) => items.map(([name, value]) => [name, name === 'flag' ? 'true' : value]),
  }),
  request('header-case', 'does not write header names in lower case', {
    pick: (items) =>
      items.map(([name, value]) => [
        name.includes('-') ? name.replace(/(?:^|-)[a-z]/g, (first) => first.toUpperCase()) : name,
        value,
      ]),
  }),
  request('order', 'does not sort', { sort: (entries) => entries }),
  request('order', 'puts the query before the headers', {
    query: { yes: '1', zone: '2' },
    sort: (entries) =>
      entries.sort(
        ([a], [b]) => Number(!/yes|zone/.test(a)) - Number(!/yes|zone/.test(b)) || compare(a, b),
      ),
  }),
  request('values-encoded', 'encodes values before signing', { encode: encodeURIComponent }),
  request('values-encoded', 'encodes values as a form before signing', { encode: formEncode }),
  request('sent-encoded-twice', 'encodes a value twice in the URL', {
    writeParam: (value) => encodeURIComponent(encodeURIComponent(value)),
  }),
  request('values-only', 'joins only the values', {
    join: (entries) => entries.map(([, value]) => value).join(''),
  }),
  request('json', 'signs JSON', {
    join: (entries) => JSON.stringify(Object.fromEntries(entries)),
  }),
  request('query-as-sent', 'signs only the query, as it is in the URL', {
    join: (_, query) => query,
  }),
  request('separators', 'joins with nothing', {
    join: (entries) => entries.map((entry) => entry.join('=')).join(''),
  }),
  request('ends', 'leaves a & at the end', { wrap: (text) => `${text}&` }),
  request('ends', 'signs a line break', { wrap: (text) => `${text}\n` }),
  request(
    'scheme-signed',
    'signs the scheme',
    start((m, host, path) => `${m}https://${host}${path}?`),
  ),
  request(
    'host-missing',
    'leaves out the host',
    start((m, _, path) => `${m}${path}?`),
  ),
  request(
    'port-missing',
    'leaves out the port',
    start((m, host, path) => `${m}${host.replace(/:.*/, '')}${path}?`),
  ),
  request('port-added', 'adds the port of https', {
    host: 'api.example',
    start: (m, host, path) => `${m}${host}:443${path}?`,
  }),
  request(
    'trailing-slash',
    'adds a slash to the path',
    start((m, host, path) => `${m}${host}${path}/?`),
  ),
  request(
    'double-slash',
    'joins the host and the path without a slash',
    start((m, host, path) => `${m}${host}${path.slice(1)}?`),
  ),
  request(
    'double-slash',
    'joins the host and the path with two slashes',
    start((m, host, path) => `${m}${host}/${path}?`),
  ),
  request(
    'path-missing',
    'leaves out the path',
    start((m, host) => `${m}${host}?`),
  ),
  request(
    'path-shortened',
    'leaves out /open/api',
    start((m, host, path) => `${m}${host}${path.replace('/open/api', '')}?`),
  ),
  request(
    'method-case',
    'writes the method in lower case',
    start((m, host, path) => `${m.toLowerCase()}${host}${path}?`),
  ),
  request(
    'method-missing',
    'leaves out the method',
    start((_, host, path) => `${host}${path}?`),
  ),
  request(
    'other-method',
    'signs another method',
    start((_, host, path) => `POST${host}${path}?`),
  ),
  request(
    'mark-missing',
    'leaves out the ?',
    start((...parts) => parts.join('')),
  ),
  request(
    'target-joined',
    'joins the parts with line breaks',
    start((...parts) => `${parts.join('\n')}\n`),
  ),
  request(
    'target-missing',
    'signs only the items',
    start(() => ''),
  ),
  request('another-secret', 'signs with another private key', {
    sign: (text) => sign('sha256', Buffer.from(text), stranger.privateKey),
  }),
  ...['sha1', 'sha512'].map((name) =>
    request('algorithm', `hashes with ${name}`, {
      sign: (text) => createSign(name).update(text).sign(privateKey),
    }),
  ),
  request('pss', 'signs with RSA-PSS', {
    sign: (text) =>
      sign('sha256', Buffer.from(text), {
        key: privateKey,
        padding: constants.RSA_PKCS1_PSS_PADDING,
      }),
  }),
  request('digest-signed', 'signs the hash of the text', {
    sign: (text) => sign('sha256', Buffer.from(hash(text).digest('hex')), privateKey),
  }),
  request('hmac-for-rsa', 'signs with the SecretKey', {
    sign: (text) => createHmac('sha256', secretKey).update(text).digest(),
  }),
  request('signature-hex', 'sends hexadecimal', { write: (bytes) => bytes.toString('hex') }),
  request('signature-base64url', 'sends base64url', {
    write: (bytes) => bytes.toString('base64url'),
  }),
  request('signature-padding', 'leaves out the padding', {
    write: (bytes) => bytes.toString('base64').replace(/=+$/, ''),
  }),
  request('signature-percent-encoded', 'percent-encodes the header', {
    write: (bytes) => encodeURIComponent(bytes.toString('base64')),
  }),
  request('signature-line-breaks', 'breaks the lines of the base64', {
    dress: (text) => wrapEach(text, 76),
  }),
];
