import { getWidgetParameters } from '../../protocol/widget/widgetParameters.js';
import { readWidgetQuery } from '../checkout/validateWidgetQuery.js';
import { createRecipe, noTarget, type Recipe, type SignedItem } from './signedText.js';

/** What was signed: the URL of a widget, a request to the partner API, or a webhook. */
export type MessageKind = 'widget-url' | 'api-request' | 'webhook';

/** A parameter that was not sent, although a signer may have signed it with one of these values. */
interface AbsentItem {
  readonly name: string;
  /** Values that signers fill in, such as a default. */
  readonly values: readonly string[];
}

/** A received message in the form in which the search for mistakes needs it. */
export interface SignedMessage {
  readonly kind: MessageKind;
  /** The recipe of the text that should have been signed. */
  readonly right: Recipe;
  /** Every query parameter as it was sent, also an empty one, without the signature. */
  readonly query: readonly SignedItem[];
  /** The headers that take no part in the signature. */
  readonly otherHeaders: readonly SignedItem[];
  readonly absent: readonly AbsentItem[];
  /** The query as it was sent, without the signature. */
  readonly rawQuery: string;
  /** The address, with which some signers begin their text. */
  readonly address: { readonly scheme: string; readonly host: string; readonly path: string };
  readonly body?: string;
  /** As it was received, in a URL after percent-decoding. */
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

const SIGNATURE_HEADER = 'x-fp-signature';

function splitUrl(url: string) {
  const [, scheme = '', host = '', path = '', query = ''] =
    /^(?:([a-z]+:\/\/)([^/?#]*))?([^?#]*)\??([^#]*)/is.exec(url) ?? [];
  return { scheme, host, path, query };
}

const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));

/** Reads the items of a query that `decodeQuery` accepts. */
function listQuery(query: string): SignedItem[] {
  return query
    .split('&')
    .map((item) => {
      const [, name = '', raw = ''] = /^([^=]*)=?(.*)$/s.exec(item) ?? [];
      return { name: decode(name), value: decode(raw), raw, from: 'query' as const };
    })
    .filter(({ name }) => name !== '');
}

const hasValue = ({ value }: SignedItem) => value !== '';

/** Reads the URL of a widget, or only its query. The query must be one that `readWidgetQuery` accepts. */
export function readWidgetMessage(
  url: string,
  extraSignedParams: readonly string[] = [],
): SignedMessage {
  const { query: rawQuery, ...address } = splitUrl(url.includes('?') ? url : `?${url}`);
  const read = readWidgetQuery(rawQuery, extraSignedParams);
  if (!read.ok) throw new TypeError(read.message);
  const signedNames = new Set(read.signed.map(([name]) => name));
  const all = listQuery(rawQuery);
  const query = all.filter(({ name }) => name !== 'signature');
  const sent = new Set(all.filter(hasValue).map(({ name }) => name));
  const absent = getWidgetParameters(read.widget)
    .filter(({ name, signed }) => !sent.has(name) && signed !== 'result')
    .filter(({ name, signed }) => signed === 'premium' || name === 'language' || /^w/.test(name))
    .map(({ name, format, default: byDefault }) => ({
      name,
      values: format === 'flag' ? ['0', '1'] : byDefault ? [byDefault] : [],
    }));
  return {
    kind: 'widget-url',
    right: createRecipe(
      query.filter((item) => hasValue(item) && signedNames.has(item.name)),
      noTarget,
      ({ name, value }) => (name === 'ext' ? encodeURIComponent(value) : value),
    ),
    query,
    otherHeaders: [],
    absent,
    rawQuery: rawQuery
      .split('&')
      .filter((item) => !item.startsWith('signature='))
      .join('&'),
    address,
    signature: all.find(({ name }) => name === 'signature')?.value ?? '',
  };
}

/** The optional parameters of the operations, with their defaults. */
const optionalParams: ReadonlyMap<string, readonly AbsentItem[]> = new Map(
  Object.entries({
    price: [
      { name: 'payment', values: [] },
      { name: 'buyType', values: ['fiat', 'nft'] },
    ],
    order: [
      { name: 'page', values: ['1'] },
      { name: 'size', values: ['20'] },
    ],
    token: [{ name: 'buyType', values: ['fiat', 'nft'] }],
  }),
);

/** Reads a request to the partner API, or a webhook. The query must be one that `decodeQuery` accepts. */
export function readRequestMessage(
  kind: 'api-request' | 'webhook',
  { method, url, headers, body }: ReceivedRequest,
): SignedMessage {
  const { query: rawQuery, ...address } = splitUrl(url);
  const items = [...headers].map(([name, value]) => ({
    name: name.toLowerCase(),
    value,
    from: 'header' as const,
  }));
  const isSigned = ({ name }: SignedItem) =>
    /^x-fp-(?:version|timestamp|nonce|partner-id)$/.test(name) ||
    (kind === 'webhook' && /^x-fp/.test(name) && name !== SIGNATURE_HEADER);
  const query = listQuery(rawQuery);
  const sent = new Set(query.filter(hasValue).map(({ name }) => name));
  const operation = /[^/]*$/.exec(address.path)?.[0] ?? '';
  const absent = kind === 'api-request' ? (optionalParams.get(operation) ?? []) : [];
  return {
    kind,
    right: createRecipe(
      [...items.filter(isSigned), ...query].filter(hasValue),
      {
        ...noTarget,
        method: method.toUpperCase(),
        host: address.host,
        path: address.path,
        mark: '?',
      },
      ({ value }) => value,
    ),
    query,
    otherHeaders: items.filter(
      (item) => hasValue(item) && !isSigned(item) && item.name !== SIGNATURE_HEADER,
    ),
    absent: absent.filter(({ name }) => !sent.has(name)),
    rawQuery,
    address,
    ...(body && { body }),
    signature: items.find(({ name }) => name === SIGNATURE_HEADER)?.value ?? '',
  };
}
