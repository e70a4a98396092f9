import { type Mistake, withFix } from './Mistake.js';
import {
  createItem,
  decodePercent,
  type SignedItem,
  type SignedMessage,
  type SignedText,
  sortByName,
  type TextPieces,
  writeText,
} from './signedMessage.js';

/** A mistake in the signed text, with the text that it leads to. */
export interface TextMistake extends Mistake {
  readonly text: SignedText;
}

/**
 * Lists the texts that signers sign by mistake, with one mistake in each. If two are the same, the first one counts.
 */
export function listTextMistakes(message: SignedMessage): TextMistake[] {
  return [
    ...listItemMistakes(message),
    ...listValueMistakes(message),
    ...listEncodingMistakes(message),
    ...listNameMistakes(message),
    ...listOrderMistakes(message),
    ...listSeparatorMistakes(message),
    ...(message.kind === 'widget-url' ? listAddressMistakes(message) : listTargetMistakes(message)),
    ...listOtherTexts(message),
  ].map(({ id, what, fix, ...pieces }) => ({ id, what, fix, text: writeText(message, pieces) }));
}

/** A mistake, with the pieces of the text that it changes. */
type Change = Mistake & Partial<TextPieces>;

type Items = readonly SignedItem[];
const quote = (text: string) => `“${text}”`;
const isHeader = ({ from }: SignedItem) => from === 'header';
const isQuery = ({ from }: SignedItem) => from === 'query';
const hasValue = ({ value }: SignedItem) => value !== '';

/** Writes a sentence about some items: “a”, “b” were signed. */
function describeItems(items: Items, predicate: string): string {
  const names = items.map(({ name, from }) => (from === 'header' ? `header ${name}` : quote(name)));
  const sentence = `${names.join(', ')} ${items.length > 1 ? 'were' : 'was'} ${predicate}.`;
  return sentence.replace(/^header/, 'The header');
}

/** Lists each item alone, and whole groups, because a signer forgets either one item or all of a kind. */
const listGroups = (items: Items, ...groups: Items[]) => [
  ...items.map((item) => [item]),
  ...groups.filter(({ length }) => length > 1),
];

/** Lists items that are missing or superfluous. */
function listItemMistakes({ kind, items, query, otherHeaders, absent }: SignedMessage): Change[] {
  const isWidget = kind === 'widget-url';
  const missing = withFix(
    'Add it to the text: every item of the list in docs/signing.md that has a value is signed.',
  );
  const superfluous = withFix(
    isWidget
      ? 'Leave it out of the text: docs/parameters.md says which parameters are signed.'
      : 'Sign only X-Fp-Version, X-Fp-Timestamp, X-Fp-Nonce, X-Fp-Partner-Id and the query.',
  );
  const empty = withFix(
    'Drop every item without a value before you sort and join, and from the URL.',
  );
  const own = withFix('Add the signature after you have signed the other items.');

  const without = (left: Items) => sortByName(items.filter((item) => !left.includes(item)));
  const plus = (more: Items) => sortByName([...items, ...more]);
  const kinds = isWidget ? [] : [items.filter(isQuery), items.filter(isHeader)];
  const others = [...query, ...otherHeaders].filter(
    (item) => hasValue(item) && !items.includes(item),
  );
  const valueless = [
    ...query.filter((item) => !hasValue(item)),
    ...absent.map((name) => createItem(name, '', 'query')),
  ];
  const signature = isWidget ? 'signature' : 'x-fp-signature';
  return [
    ...listGroups(items, ...kinds).map((group) =>
      missing('missing-parameter', describeItems(group, 'not signed'), { items: without(group) }),
    ),
    ...listGroups(others, others).map((group) => {
      const what = describeItems(group, 'signed, but must not be');
      return superfluous('unsigned-parameter', what, { items: plus(group) });
    }),
    ...['', 'null', 'undefined', 'None'].flatMap((value) =>
      listGroups(valueless, valueless).map((group) => {
        const id = value === '' ? 'empty-value' : 'null-as-text';
        const how = value === '' ? 'without a value' : `as the text ${quote(value)}`;
        const what = describeItems(group, `signed ${how}, not left out`);
        return empty(id, what, { items: plus(group.map((item) => ({ ...item, value }))) });
      }),
    ),
    own('signature-signed', `The text contains ${quote(signature)} itself.`, {
      items: plus([createItem(signature, '', 'query')]),
    }),
  ];
}

/** Lists values that were signed in a different spelling from the one that was sent. */
function listValueMistakes({ kind, items }: SignedMessage): Change[] {
  const isEncoded = ({ name }: SignedItem) => kind === 'widget-url' && name === 'ext';
  const spell = (change: (item: SignedItem) => string) => ({
    items: sortByName(items).map((item) => {
      const value = change(item);
      return { ...item, value: isEncoded(item) ? encodeURIComponent(value) : value };
    }),
  });
  return [
    // This comes before the encoding mistakes, because encoding a value twice in the URL can look like one of them.
    withFix('Encode each value once. URLSearchParams and http_build_query already do it.')(
      'sent-encoded-twice',
      'The values were percent-encoded twice in the URL.',
      spell(({ decoded }) => decodePercent(decoded)),
    ),
    withFix('Write + as %2B in the URL.')(
      'plus-as-space',
      'A value was signed with a +, but a plain + in a URL is a space.',
      spell(({ raw, decoded }) => (raw.includes('+') ? decodePercent(raw) : decoded)),
    ),
    ...items.flatMap((item) =>
      listSpellings(item).map(({ id, fix, how, value }) =>
        withFix(fix)(
          id,
          describeItems([item], `signed ${how}`),
          spell((each) => (each === item ? value : each.decoded)),
        ),
      ),
    ),
  ];
}

/** Lists other spellings of a value. */
function listSpellings({ name, decoded: value }: SignedItem) {
  if (name.endsWith('timestamp')) {
    const id = 'milliseconds';
    const fix = 'Use one timestamp, in whole seconds, for the text and for what you send.';
    return /^\d{13}$/.test(value)
      ? [{ id, fix, how: 'in seconds but sent in milliseconds', value: value.slice(0, -3) }]
      : [{ id, fix, how: 'in milliseconds but sent in seconds', value: `${value}000` }];
  }
  const spell = (id: string, how: string, ...values: string[]) =>
    values.map((other) => ({ id, how, value: other }));
  const words = value === '1' ? ['true', 'True'] : value === '0' ? ['false', 'False'] : [];
  const number = Number(value);
  const formats = /^\d+(?:\.\d+)?$/.test(value)
    ? [String(number), ...[0, 1, 2, 8].map((digits) => number.toFixed(digits))]
    : [];
  return [
    ...spell('value-case', 'in lower case', value.toLowerCase()),
    ...spell('value-trimmed', 'without the spaces around it', value.trim()),
    ...spell('boolean-as-text', 'as a word but sent as a digit', ...words),
    ...spell('number-format', 'with other decimals than it was sent with', ...formats),
  ].map((spelling) => ({ ...spelling, fix: 'Sign exactly the text that you send.' }));
}

const toHex = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
const encodeStrictly = (text: string) => encodeURIComponent(text).replace(/[!'()*]/g, toHex);
const encodeForm = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);

/** The encoders of other languages and libraries. */
const otherEncoders: readonly (readonly [words: string, encode: (text: string) => string])[] = [
  ["!'()* encoded too, as PHP's rawurlencode and C#'s EscapeDataString do", encodeStrictly],
  ["+ for spaces and !'()~ encoded too, as URLSearchParams and Java's URLEncoder do", encodeForm],
  [
    "+ for spaces and !'()* encoded too, as Go's QueryEscape and PHP's urlencode do",
    (text) => encodeStrictly(text).replaceAll('%20', '+'),
  ],
  [
    'lower-case hexadecimal digits',
    (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  ],
];

/** Lists values that were percent-encoded before they were signed, and wrong encodings of `ext`. */
function listEncodingMistakes({ kind, items }: SignedMessage): Change[] {
  const isWidget = kind === 'widget-url';
  const plain = 'Sign the plain values, and percent-encode them only in the URL.';
  const values = withFix(isWidget ? `${plain} Only ext is encoded before it is signed.` : plain);
  const ext = withFix(
    'Encode ext once, as encodeURIComponent does: docs/signing.md has a line for each language.',
  );
  const write = (change: (item: SignedItem) => string) => ({
    items: sortByName(items).map((item) => ({ ...item, value: change(item) })),
  });
  const writeAll = (encode: (text: string) => string) => write(({ decoded }) => encode(decoded));
  const writeExt = (encode: (text: string) => string) =>
    write(({ name, value, decoded }) => (name === 'ext' ? encode(decoded) : value));
  const encodeTwice = (text: string) => encodeURIComponent(encodeURIComponent(text));

  const id = 'values-encoded';
  const encoded = 'The values were percent-encoded before they were signed';
  const asSent = 'The values were signed as they are in the URL, still percent-encoded.';
  const twice = 'ext was percent-encoded twice before it was signed.';
  const ofExt = [
    ext('ext-not-encoded', 'ext was signed as plain text.', writeAll(String)),
    ext('ext-encoded-twice', twice, writeExt(encodeTwice)),
    ...otherEncoders.map(([words, encode]) =>
      ext('ext-encoded-otherwise', `ext was encoded with ${words}.`, writeExt(encode)),
    ),
  ];
  return [
    ...(isWidget ? ofExt : []),
    values(id, `${encoded}.`, writeAll(encodeURIComponent)),
    values(
      id,
      `${encoded}, and ext twice.`,
      write((item) => encodeURIComponent(item.value)),
    ),
    values(
      id,
      asSent,
      write((item) => item.raw),
    ),
    ...otherEncoders.map(([words, encode]) =>
      values(id, `${encoded}, with ${words}.`, writeAll(encode)),
    ),
  ];
}

/** Lists names in another case, sorted before or after the case was changed. */
function listNameMistakes({ items }: SignedMessage): Change[] {
  const inHeaders = withFix('Write the names of the headers in lower case: x-fp-timestamp.');
  const inQuery = withFix('Names are case-sensitive: sign them as docs/parameters.md writes them.');
  const rename = (change: (item: SignedItem) => string) => {
    const toOther = (item: SignedItem) => ({ ...item, name: change(item) });
    return [sortByName(items).map(toOther), sortByName(items.map(toOther))];
  };
  const toTitle = (name: string) => name.replace(/(?<![a-z])[a-z]/g, (a) => a.toUpperCase());
  const inTitleCase = rename((item) => (isHeader(item) ? toTitle(item.name) : item.name));
  const inLowerCase = rename(({ name }) => name.toLowerCase());
  return [
    ...inTitleCase.map((list) =>
      inHeaders('header-case', 'The names of the headers were not in lower case.', { items: list }),
    ),
    ...inLowerCase.map((list) =>
      inQuery('name-case', 'The names of the parameters were in lower case.', { items: list }),
    ),
  ];
}

function listOrderMistakes({ items }: SignedMessage): Change[] {
  const ascii = withFix(
    'Sort by key in ASCII order: upper-case letters come before lower-case ones.',
  );
  const oneList = withFix('Put headers and query parameters into one list, then sort it by key.');
  const sorted = sortByName(items);
  const [headers, query] = [sorted.filter(isHeader), sorted.filter(isQuery)];
  return [
    ascii('order', 'The items were not sorted, but signed in the order in which they were sent.', {
      items,
    }),
    ascii('order', 'The items were sorted without regard to case, as localeCompare does.', {
      items: sortByName(items, (name) => name.toLowerCase()),
    }),
    ascii('order', 'The items were sorted in descending order.', { items: sorted.toReversed() }),
    oneList('order', 'The headers stand before the query parameters.', {
      items: [...headers, ...query],
    }),
    oneList('order', 'The query parameters stand before the headers.', {
      items: [...query, ...headers],
    }),
  ];
}

/** Lists separators other than `=` and `&`, and characters at either end. */
function listSeparatorMistakes({ items }: SignedMessage): Change[] {
  const join = withFix('Join each key and value with =, and the items with &.');
  const ends = withFix('Sign the text without anything before or after it.');
  const values = sortByName(items).map(({ value }) => ({ name: '', value }));
  const nothing = { equals: '', separator: '' };
  return [
    join('separators', 'The items were joined with nothing.', { separator: '' }),
    join('separators', 'The items were joined with commas.', { separator: ',' }),
    join('separators', 'The items were joined with line breaks.', { separator: '\n' }),
    join('separators', 'The items were joined with “&amp;”.', { separator: '&amp;' }),
    join('separators', 'There is nothing between keys, values and items.', nothing),
    join('values-only', 'Only the values were signed.', { items: values, ...nothing }),
    ends('ends', 'There is a & before the first item.', { start: '&' }),
    ends('ends', 'There is a ? before the first item.', { start: '?' }),
    ends('ends', 'There is a & after the last item.', { end: '&' }),
    ends('ends', 'There is a line break at the end of the text.', { end: '\n' }),
    ends('ends', 'There is a line break at the end of the text.', { end: '\r\n' }),
    ends('ends', 'There is a space at the end of the text.', { end: ' ' }),
  ];
}

/** Lists texts that contain the address of a widget URL, which is not signed. */
function listAddressMistakes({ address: { scheme, host, path } }: SignedMessage): Change[] {
  const address = withFix(
    'The text for a widget URL contains only the items, without method, host and path.',
  );
  const targets = [
    [scheme, host, path, '?'],
    [host, path, '?'],
    [path, '?'],
    ['GET', host, path, '?'],
  ];
  const what = 'The text begins with the address of the widget.';
  return targets.map((target) => address('target-signed', what, { target }));
}

/** Lists mistakes in the method, host and path of a request or a webhook. A proxy may have changed them. */
function listTargetMistakes({ kind, target, address, otherHeaders }: SignedMessage): Change[] {
  const begin = withFix(
    kind === 'webhook'
      ? 'The service signs the address that you registered: verify with exactly that URL.'
      : 'Begin with the method in upper case, host and path exactly as they are in the URL, and ?.',
  );
  const [method = ''] = target;
  const { scheme, host, path } = address;
  const withMethod = (id: string, what: string, other: string) =>
    begin(id, what, { target: [other, host, path, '?'] });
  const withHost = (id: string, what: string, other: string) =>
    begin(id, what, { target: [method, other, path, '?'] });
  const withPath = (id: string, what: string, other: string) =>
    begin(id, what, { target: [method, host, other, '?'] });

  const forwarded = otherHeaders.filter(({ name }) => /^(?:x-forwarded-)?host$/.test(name));
  const local = /^(?:localhost|127\.0\.0\.1)(?=:|$)/;
  const bare = host.replace(/:\d+$/, '');
  const noSlash = path.replace(/\/$/, '');
  const folders = path.split('/').slice(1);
  return [
    ...['GET', 'POST', 'PUT'].map((other) =>
      withMethod('other-method', `The method was signed as ${other}.`, other),
    ),
    withMethod('method-case', 'The method was not in upper case.', method.toLowerCase()),
    withMethod('method-missing', 'The text has no method.', ''),
    ...[scheme, 'https://', 'http://'].map((other) =>
      withHost('scheme-signed', 'The text contains http:// or https://.', `${other}${host}`),
    ),
    ...forwarded.map(({ name, value }) =>
      withHost('other-host', `The host is that of the header ${name}.`, value),
    ),
    ...['localhost', '127.0.0.1'].map((name) =>
      withHost('other-host', `The host was signed as ${name}.`, host.replace(local, name)),
    ),
    withHost('host-missing', 'The text has no host.', ''),
    withHost('port-missing', 'The host has no port.', bare),
    ...['443', '80'].map((port) =>
      withHost('port-added', `The host was signed with the port ${port}.`, `${bare}:${port}`),
    ),
    withPath('trailing-slash', 'The path was signed with a slash at its end.', `${path}/`),
    withPath('trailing-slash', 'The path was signed without the slash at its end.', noSlash),
    withPath('double-slash', 'The path was signed with two slashes at its start.', `/${path}`),
    withPath('double-slash', 'The path was signed without the slash at its start.', path.slice(1)),
    ...folders.slice(1).map((_, at) => {
      const prefix = folders.slice(0, at + 1).join('/');
      const what = `The path was signed without /${prefix}.`;
      return withPath('path-shortened', what, path.slice(prefix.length + 1));
    }),
    withPath('path-missing', 'The text has no path.', ''),
    begin('mark-missing', 'There is no ? between the path and the items.', {
      target: [method, host, path],
    }),
    begin('target-joined', 'Method, host, path and items were joined with line breaks.', {
      target: [method, '\n', host, '\n', path, '\n'],
    }),
    begin('target-missing', 'The text has no method, host and path.', { target: [] }),
  ];
}

/** Lists texts with something else in place of the items, or with the body added. */
function listOtherTexts({ kind, items, rawQuery, body }: SignedMessage): Change[] {
  const documented = withFix('Build the text as docs/signing.md describes.');
  const unsigned = withFix(
    'The body is not signed. If your service signs its fields, set the option signedBody of createWebhookVerifier.',
  );
  const asSent =
    'The query was signed as it is in the URL: not sorted, encoded, with every parameter.';
  const replace = (text: string) => ({ items: [], end: text });
  const toJson = (list: Items) =>
    JSON.stringify(Object.fromEntries(list.map(({ name, decoded }) => [name, decoded])));
  return [
    documented('query-as-sent', asSent, replace(rawQuery)),
    ...(kind === 'widget-url'
      ? [documented('query-as-sent', asSent, replace(`?${rawQuery}`))]
      : []),
    ...[sortByName(items), items].map((list) =>
      documented('json', 'The items were signed as JSON.', replace(toJson(list))),
    ),
    ...(body === ''
      ? []
      : [
          unsigned('body-signed', 'The body was signed too.', { end: body }),
          unsigned('body-signed', 'The body was signed too.', { end: `&${body}` }),
          unsigned('body-signed', 'Only the body was signed.', { target: [], ...replace(body) }),
          unsigned('body-signed', 'The fields of the body were signed too.', {
            items: sortByName([...items, ...readFields(body)]),
          }),
        ]),
  ];
}

/** Returns the fields of a JSON object that contain a text, a number or a boolean. */
function readFields(text: string): SignedItem[] {
  try {
    return Object.entries(JSON.parse(text))
      .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '')
      .map(([name, value]) => createItem(name, String(value), 'query'));
  } catch {
    return [];
  }
}
