import { getWidgetParameters } from '../../protocol/widget/widgetParameters.js';
import { readWidgetQuery } from '../checkout/validateWidgetQuery.js';

/** What was signed: the URL of a widget, a request to the partner API, or a webhook. */
export type MessageKind = 'widget-url' | 'api-request' | 'webhook';

/** A name and a value of a message. */
export interface SignedItem {
  readonly name: string;
  /** As it is signed: decoded, except for `ext` of a widget URL. */
  readonly value: string;
  readonly decoded: string;
  /** As it is written in the query, still encoded. */
  readonly raw: string;
  readonly from: 'query' | 'header';
}

/** A received message, split into the parts that a signer may have signed. */
export interface SignedMessage {
  readonly kind: MessageKind;
  /** The start of the signed text: method, host, path and `?`. Empty for a widget URL. */
  readonly target: readonly string[];
  /** The items that are signed, in the order in which they were sent. */
  readonly items: readonly SignedItem[];
  /** Every query parameter except the signature, including empty and unsigned ones. */
  readonly query: readonly SignedItem[];
  /** The headers that take no part in the signature. */
  readonly otherHeaders: readonly SignedItem[];
  /** The widget's signed parameters that were not sent, although a signer may have signed them without a value. */
  readonly absent: readonly string[];
  /** The query as it was sent, without the signature. */
  readonly rawQuery: string;
  readonly address: { readonly scheme: string; readonly host: string; readonly path: string };
  readonly body: string;
  /** The signature as it was received, but percent-decoded if it came in a URL. */
  readonly signature: string;
}

export interface ReceivedRequest {
  readonly method: string;
  /** The full URL: scheme, host, path and query, not decoded. */
  readonly url: string;
  /** In the order in which they were sent, if that is known. */
  readonly headers: Iterable<readonly [name: string, value: string]>;
  readonly body?: string | undefined;
}

/** Reads the URL of a widget, or only its query. The query must be one that `readWidgetQuery` accepts. */
export function readWidgetMessage(
  url: string,
  extraSignedParams: readonly string[] = [],
): SignedMessage {
  const { query: rawQuery, ...address } = splitUrl(url.includes('?') ? url : `?${url}`);
  const read = readWidgetQuery(rawQuery, extraSignedParams);
  if (!read.ok) throw new TypeError(read.message);
  const signed = new Map(read.signed);
  const all = listQuery(rawQuery).map((item) => ({
    ...item,
    value: signed.get(item.name) ?? item.value,
  }));
  const query = all.filter(({ name }) => name !== 'signature');
  const sent = new Set(query.map(({ name }) => name));
  return {
    kind: 'widget-url',
    target: [],
    items: query.filter((item) => hasValue(item) && signed.has(item.name)),
    query,
    otherHeaders: [],
    absent: getWidgetParameters(read.widget)
      .filter((row) => row.signed === 'premium' && !sent.has(row.name))
      .map(({ name }) => name),
    rawQuery: rawQuery
      .split('&')
      .filter((item) => !item.startsWith('signature='))
      .join('&'),
    address,
    body: '',
    signature: all.find(({ name }) => name === 'signature')?.value ?? '',
  };
}

const SIGNATURE_HEADER = 'x-fp-signature';
const requestHeaders = ['x-fp-version', 'x-fp-timestamp', 'x-fp-nonce', 'x-fp-partner-id'];

/** Reads a request to the partner API, or a webhook. The query must be one that `decodeQuery` accepts. */
export function readRequestMessage(
  kind: 'api-request' | 'webhook',
  { method, url, headers, body = '' }: ReceivedRequest,
): SignedMessage {
  const { query: rawQuery, ...address } = splitUrl(url);
  const all = [...headers].map(([name, value]) => createItem(name.toLowerCase(), value, 'header'));
  const isSigned = ({ name }: SignedItem) =>
    requestHeaders.includes(name) ||
    (kind === 'webhook' && name.startsWith('x-fp') && name !== SIGNATURE_HEADER);
  const query = listQuery(rawQuery);
  return {
    kind,
    target: [method.toUpperCase(), address.host, address.path, '?'],
    items: [...all.filter(isSigned), ...query].filter(hasValue),
    query,
    otherHeaders: all.filter((item) => !isSigned(item) && item.name !== SIGNATURE_HEADER),
    absent: [],
    rawQuery,
    address,
    body,
    signature: all.find(({ name }) => name === SIGNATURE_HEADER)?.value ?? '',
  };
}

function splitUrl(url: string) {
  const [, scheme = '', host = '', path = '', query = ''] =
    /^(?:([a-z]+:\/\/)([^/?#]*))?([^?#]*)\??([^#]*)/is.exec(url) ?? [];
  return { scheme, host, path, query };
}

export const createItem = (
  name: string,
  value: string,
  from: SignedItem['from'],
  raw = value,
): SignedItem => ({ name, value, decoded: value, raw, from });

const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));

/** Decodes percent-encoding, or returns the text unchanged if it is malformed. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function listQuery(query: string): SignedItem[] {
  return query
    .split('&')
    .map((item) => {
      const [, name = '', raw = ''] = /^([^=]*)=?(.*)$/s.exec(item) ?? [];
      return createItem(decode(name), decode(raw), 'query', raw);
    })
    .filter(({ name }) => name !== '');
}

const hasValue = ({ value }: SignedItem) => value !== '';

/** A piece of a signed text, so that a page can show keys, values and separators differently. */
interface TextPart {
  readonly kind: 'target' | 'key' | 'value' | 'separator' | 'text';
  readonly text: string;
}

export interface SignedText {
  readonly text: string;
  /** Joined, these parts are the text. */
  readonly parts: readonly TextPart[];
}

/** The pieces that make up a signed text. */
export interface TextPieces {
  readonly target: readonly string[];
  /** In the order in which they are joined. */
  readonly items: readonly Pick<SignedItem, 'name' | 'value'>[];
  readonly equals: string;
  readonly separator: string;
  readonly start: string;
  readonly end: string;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Sorts by name in ASCII order, as sections 5.1 to 5.3 of the service interface define. */
export const sortByName = (items: readonly SignedItem[], toKey = (name: string) => name) =>
  items.toSorted((a, b) => compare(toKey(a.name), toKey(b.name)));

/** Writes the text that should be signed, with the pieces in `other` replaced. */
export function writeText(message: SignedMessage, other: Partial<TextPieces> = {}): SignedText {
  const {
    target = message.target,
    items = sortByName(message.items),
    equals = '=',
    separator = '&',
    start = '',
    end = '',
  } = other;
  const part = (kind: TextPart['kind'], text: string): TextPart => ({ kind, text });
  const parts = [
    ...target.map((piece) => part('target', piece)),
    part('text', start),
    ...items.flatMap(({ name, value }, at) => [
      part('separator', at > 0 ? separator : ''),
      part('key', name),
      part('separator', equals),
      part('value', value),
    ]),
    part('text', end),
  ].filter(({ text }) => text !== '');
  return { text: parts.map(({ text }) => text).join(''), parts };
}
