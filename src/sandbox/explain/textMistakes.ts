import { decodePercent, otherEncoders } from './encoders.js';
import type { SignedMessage } from './signedMessage.js';
import {
  buildText,
  createTextBuilder,
  noTarget,
  type Recipe,
  type SignedItem,
  type SignedTarget,
  sortByName,
} from './signedText.js';

/** A mistake that signers make, as it occurs in one message. It never contains a value, a key or a signature. */
export interface Mistake {
  /** Stable, such as `unsigned-parameter`. */
  readonly id: string;
  /** What was wrong, as a sentence. */
  readonly what: string;
  /** What to do, as a sentence. */
  readonly fix: string;
}

/** One way in which a signer may have made another text. */
interface TextVariant {
  readonly mistake: Mistake;
  readonly recipe: Recipe;
}

/** The parts of a recipe. Two mistakes of the same part exclude each other, except in those that grow. */
type Part =
  | 'items'
  | 'values'
  | 'names'
  | 'order'
  | 'join'
  | 'target'
  | 'method'
  | 'scheme'
  | 'host'
  | 'port'
  | 'path'
  | 'mark'
  | 'start'
  | 'end'
  | 'instead';

const growing: readonly Part[] = ['items', 'names', 'method', 'host', 'path', 'start', 'end'];

interface TextMistake {
  readonly part: Part;
  /** Returns the ways in which this mistake can be made with a recipe, which may already have another mistake. */
  readonly vary: (recipe: Recipe, message: SignedMessage) => Iterable<TextVariant>;
}

const quote = (name: string) => `“${name}”`;
const nameItem = ({ name, from }: SignedItem) =>
  from === 'header' ? `the header ${name}` : quote(name);
const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const isRequest = ({ kind }: SignedMessage) => kind !== 'widget-url';

const withItems = (recipe: Recipe, items: readonly SignedItem[]): Recipe => ({ ...recipe, items });
const replaceItem = (recipe: Recipe, old: SignedItem, by: SignedItem): Recipe =>
  withItems(
    recipe,
    recipe.items.map((item) => (item === old ? by : item)),
  );

const encodingFix = (message: SignedMessage) =>
  message.kind === 'widget-url'
    ? 'Sign the plain values, and percent-encode them only in the URL. Only ext is encoded before it is signed.'
    : 'Sign the plain values, and percent-encode them only in the URL.';

const missing: TextMistake = {
  part: 'items',
  *vary(recipe, message) {
    const leaveOut = (left: (item: SignedItem) => boolean, what: string) => ({
      mistake: {
        id: 'missing-parameter',
        what: `${capitalize(what)} not signed.`,
        fix: 'Add it to the text: every item of the list in docs/signing.md that has a value is signed.',
      },
      recipe: withItems(
        recipe,
        recipe.items.filter((item) => !left(item)),
      ),
    });
    for (const item of recipe.items)
      yield leaveOut((other) => other === item, `${nameItem(item)} was`);
    if (isRequest(message)) {
      yield leaveOut(({ from }) => from === 'query', 'the query parameters were');
      yield leaveOut(({ from }) => from === 'header', 'the x-fp headers were');
    }
  },
};

const unsigned: TextMistake = {
  part: 'items',
  *vary(recipe, message) {
    const names = new Set([...recipe.items, ...message.right.items].map(({ name }) => name));
    const others = [...message.query, ...message.otherHeaders].filter(
      ({ name, value }) => value !== '' && !names.has(name),
    );
    const add = (items: readonly SignedItem[], what: string) => ({
      mistake: {
        id: 'unsigned-parameter',
        what: `${capitalize(what)} signed, but must not be.`,
        fix: isRequest(message)
          ? 'Sign only X-Fp-Version, X-Fp-Timestamp, X-Fp-Nonce, X-Fp-Partner-Id and the query.'
          : 'Leave it out of the text: docs/parameters.md says which parameters are signed.',
      },
      recipe: addItems(recipe, message, items),
    });
    for (const item of others) yield add([item], `${nameItem(item)} was`);
    if (others.length > 1) yield add(others, `${others.map(nameItem).join(', ')} were`);
  },
};

/** Adds items where a signer that does not sort would have them. */
function addItems(recipe: Recipe, { query }: SignedMessage, items: readonly SignedItem[]): Recipe {
  const places = new Map(query.map(({ name }, at) => [name, at]));
  const find = ({ name, from }: SignedItem) =>
    from === 'header' ? -1 : (places.get(name) ?? query.length);
  return withItems(
    recipe,
    [...recipe.items, ...items].sort((a, b) => find(a) - find(b)),
  );
}

const texts = ['null', 'undefined', 'None', 'nil', 'NULL', 'NaN', 'false'];

/** Keeps what is made of a key, because a search makes the same thousands of times. */
function keepMade<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const all = new WeakMap<Key, Made>();
  return (key) => {
    const known = all.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    all.set(key, made);
    return made;
  };
}

/** Items that were signed as nothing, with the mistake that this is. */
interface Nothing {
  readonly mistake: Mistake;
  readonly items: readonly SignedItem[];
}
const getNothings = keepMade((_: SignedMessage) => new Map<string, Nothing>());

function describeNothing(
  message: SignedMessage,
  items: readonly SignedItem[],
  value: string,
): Nothing {
  const nothings = getNothings(message);
  const key = [value, ...items.map(({ name }) => name)].join('&');
  const known = nothings.get(key);
  if (known) return known;
  const [have, were] = items.length > 1 ? ['have', 'were'] : ['has', 'was'];
  const how = value === '' ? 'all the same' : `as the text ${quote(value)}`;
  const nothing: Nothing = {
    mistake: {
      id: value === '' ? 'empty-value' : 'null-as-text',
      what: `${items.map(nameItem).join(', ')} ${have} no value, but ${were} signed ${how}.`,
      fix: 'Drop every item without a value before you sort and join, and from the URL.',
    },
    items: items.map((item) => ({ ...item, value, raw: value })),
  };
  nothings.set(key, nothing);
  return nothing;
}

/** Items without a value: signed as empty, or as the text that a language writes for nothing. */
const emptyValues: TextMistake = {
  part: 'items',
  *vary(recipe, message) {
    const names = new Set(recipe.items.map(({ name }) => name));
    const given = message.query.filter(({ name }) => !names.has(name));
    const absent = message.absent
      .filter(({ name }) => !names.has(name) && !given.some((item) => item.name === name))
      .map(({ name }): SignedItem => ({ name, value: '', from: 'query' }));
    const empty = [...given.filter(({ value }) => value === ''), ...absent];
    const add = (added: readonly SignedItem[], value: string) => {
      const { mistake, items } = describeNothing(message, added, value);
      return { mistake, recipe: addItems(recipe, message, items) };
    };
    // A program writes nothing in one way, so no text has both null and None.
    const text = recipe.items.find(({ value }) => texts.includes(value))?.value;
    for (const value of ['', ...(text === undefined ? texts : [text])]) {
      for (const item of empty) yield add([item], value);
      if (empty.length > 1) yield add(empty, value);
      if (absent.length > 1 && absent.length < empty.length) yield add(absent, value);
    }
  },
};

/** Items that the signer signed with a default, but that were not sent. */
const notSent: TextMistake = {
  part: 'items',
  *vary(recipe, message) {
    const names = new Set(recipe.items.map(({ name }) => name));
    for (const { name, values } of message.absent)
      for (const value of names.has(name) ? [] : values)
        yield {
          mistake: {
            id: 'not-sent',
            what: `${quote(name)} was signed with the value ${quote(value)}, but was not sent.`,
            fix: `Send ${name} too, or leave it out of the text. Nothing is signed that is not sent.`,
          },
          recipe: withItems(recipe, [...recipe.items, { name, value, raw: value, from: 'query' }]),
        };
  },
};

const signatureItem: TextMistake = {
  part: 'items',
  *vary(recipe, message) {
    const from = isRequest(message) ? 'header' : 'query';
    const name = isRequest(message) ? 'x-fp-signature' : 'signature';
    for (const value of ['', 'null', 'undefined', 'None'])
      yield {
        mistake: {
          id: 'signature-signed',
          what: `The text contains ${quote(name)} itself.`,
          fix: 'Add the signature after you have signed the other items.',
        },
        recipe: withItems(recipe, [...recipe.items, { name, value, from }]),
      };
  },
};

/** Other spellings of one value, each with the words for it. */
function* listSpellings({ name, value, raw }: SignedItem): Generator<{
  id: string;
  value: string;
  was: string;
  fix: string;
}> {
  // It comes first: a value that was encoded twice looks as if it was not encoded, and in another case.
  const decoded = value.includes('%') ? decodePercent(value) : undefined;
  if (decoded !== undefined)
    yield {
      id: 'sent-encoded-twice',
      value: decoded,
      was: 'percent-encoded twice in the URL',
      fix: 'Encode each value once. URLSearchParams and http_build_query already do it.',
    };
  const same = 'Sign exactly the text that you send.';
  yield { id: 'value-case', value: value.toLowerCase(), was: 'signed in lower case', fix: same };
  yield { id: 'value-case', value: value.toUpperCase(), was: 'signed in upper case', fix: same };
  yield { id: 'value-trimmed', value: value.trim(), was: 'signed without the spaces', fix: same };
  const flag = value === '1' ? 'true' : value === '0' ? 'false' : undefined;
  if (flag) {
    const as = `signed as ${quote(flag)} but sent as ${quote(value)}`;
    yield { id: 'boolean-as-text', value: flag, was: as, fix: same };
    const python = capitalize(flag);
    const asPython = `signed as ${quote(python)} but sent as ${quote(value)}`;
    yield { id: 'boolean-as-text', value: python, was: asPython, fix: same };
  }
  if (/(?:^|-)timestamp$/i.test(name)) {
    const fix = 'Use one timestamp, in whole seconds, for the text and for what you send.';
    if (/^\d{13}$/.test(value))
      yield {
        id: 'milliseconds',
        value: value.slice(0, 10),
        was: 'signed in seconds but sent in milliseconds',
        fix,
      };
    else if (/^\d{10}$/.test(value))
      yield {
        id: 'milliseconds',
        value: `${value}000`,
        was: 'signed in milliseconds but sent in seconds',
        fix,
      };
  } else if (/^\d+(?:\.\d+)?$/.test(value)) {
    const fix = 'Format the number once, and sign and send that text.';
    const short = value.includes('.') ? value.replace(/\.?0+$/, '') : value;
    const [whole = '', decimals = ''] = short.split('.');
    for (const digits of [0, 1, 2, 8, 18])
      if (digits >= decimals.length)
        yield {
          id: 'number-format',
          value: digits === 0 ? whole : `${whole}.${decimals.padEnd(digits, '0')}`,
          was: `signed with ${digits || 'no'} ${digits === 1 ? 'decimal' : 'decimals'} but sent with another number of them`,
          fix,
        };
    yield { id: 'number-format', value: short, was: 'signed without the zeros at its end', fix };
  }
  if (raw?.includes('+'))
    yield {
      id: 'plus-as-space',
      value: decodePercent(raw) ?? value,
      was: 'signed with a +, but a plain + in a URL is a space',
      fix: 'Write + as %2B in the URL.',
    };
}

const getSpellings = keepMade((item: SignedItem) =>
  [...listSpellings(item)]
    .filter(({ value }) => value !== item.value)
    .map(({ id, value, was, fix }) => ({
      mistake: { id, what: `${capitalize(nameItem(item))} was ${was}.`, fix },
      spelled: { ...item, value, raw: value },
    })),
);
const toLowerValue = keepMade((item: SignedItem) => ({ ...item, value: item.value.toLowerCase() }));

const spellings: TextMistake = {
  part: 'items',
  *vary(recipe) {
    for (const item of recipe.items)
      for (const { mistake, spelled } of getSpellings(item))
        yield { mistake, recipe: replaceItem(recipe, item, spelled) };
    yield {
      mistake: {
        id: 'value-case',
        what: 'All values were signed in lower case.',
        fix: 'Sign exactly the text that you send.',
      },
      recipe: withItems(recipe, recipe.items.map(toLowerValue)),
    };
  },
};

type Write = Recipe['writeValue'];

const keepWritten = (write: Write): Write => keepMade(write);
const forExt = (encode: (value: string) => string) =>
  keepWritten(({ name, value }) => (name === 'ext' ? encode(value) : value));
const encodeTwice = (value: string) => encodeURIComponent(encodeURIComponent(value));

const writePlain: Write = ({ value }) => value;
const writeAsSent: Write = ({ value, raw }) => raw ?? value;
const writeQuoted = keepWritten(({ value }) => JSON.stringify(value));
const writeOnce = keepWritten(({ value }) => encodeURIComponent(value));
const writeTwice = keepWritten(({ value }) => encodeTwice(value));
const writeOnceAndExtTwice: Write = (item) =>
  item.name === 'ext' ? writeTwice(item) : writeOnce(item);
const writeExtTwice = forExt(encodeTwice);
const otherWriters = otherEncoders.map(({ words, encode }) => ({
  words,
  write: keepWritten(({ value }) => encode(value)),
  writeExt: forExt(encode),
}));

const values: TextMistake = {
  part: 'values',
  *vary(recipe, message) {
    // Most ways of encoding leave most values as they are, so their texts need not be made.
    const isOther = ({ recipe: { writeValue } }: TextVariant) =>
      recipe.items.some((item) => writeValue(item) !== recipe.writeValue(item));
    for (const variant of listValueMistakes(recipe, message)) if (isOther(variant)) yield variant;
  },
};

function* listValueMistakes(recipe: Recipe, message: SignedMessage): Generator<TextVariant> {
  const vary = (id: string, what: string, writeValue: Write, fix = encodingFix(message)) => ({
    mistake: { id, what, fix },
    recipe: { ...recipe, writeValue },
  });
  const isWidget = message.kind === 'widget-url';
  if (isWidget) {
    const extFix = 'Encode ext once, as encodeURIComponent does, and sign the encoded text.';
    yield vary('ext-not-encoded', 'ext was signed as plain text.', writePlain, extFix);
    yield vary(
      'ext-encoded-twice',
      'ext was percent-encoded twice before it was signed.',
      writeExtTwice,
      extFix,
    );
    for (const { words, writeExt } of otherWriters)
      yield vary(
        'ext-encoded-otherwise',
        `ext was encoded with ${words}.`,
        writeExt,
        'Encode ext as encodeURIComponent does: docs/signing.md has a line for each language.',
      );
  }
  yield vary(
    'values-encoded',
    'The values were percent-encoded before they were signed.',
    writeOnce,
  );
  yield vary(
    'values-encoded',
    'The values were signed as they are in the URL, still percent-encoded.',
    writeAsSent,
  );
  for (const { words, write } of otherWriters)
    yield vary(
      'values-encoded',
      `The values were percent-encoded before they were signed, with ${words}.`,
      write,
    );
  if (isWidget)
    yield vary(
      'values-encoded',
      'All values were percent-encoded before they were signed, and ext twice.',
      writeOnceAndExtTwice,
    );
  yield vary(
    'values-encoded-twice',
    'The values were percent-encoded twice before they were signed.',
    writeTwice,
  );
  yield vary(
    'values-quoted',
    'The values were signed in double quotes.',
    writeQuoted,
    'Join the values as they are, without quotes.',
  );
}

const ofHeaders =
  (write: (name: string) => string): Write =>
  ({ name, from }) =>
    from === 'header' ? write(name) : name;
const toSnake: Write = ({ name }) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const toLower: Write = ({ name }) => name.toLowerCase();
const toHeader = ofHeaders((name) => name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase()));
const withoutPrefix = ofHeaders((name) => name.replace(/^x-fp-/, ''));
const toCamel: Write = (item) =>
  withoutPrefix(item).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const withUnderscores = ofHeaders((name) => name.replaceAll('-', '_'));
const writeNameOf: Write = ({ name }) => name;

const names: TextMistake = {
  part: 'names',
  *vary(recipe, message) {
    const isRight = recipe.writeName === message.right.writeName;
    function* vary(id: string, what: string, write: Recipe['writeName'], fix: string) {
      const mistake = { id, what, fix };
      const writeName: Write = isRight
        ? write
        : (item) => write({ ...item, name: recipe.writeName(item) });
      yield { mistake, recipe: { ...recipe, writeName } };
      // A signer may also sort by the names that it writes.
      const items = recipe.items.map((item) => ({ ...item, name: writeName(item) }));
      yield { mistake, recipe: { ...recipe, items, writeName: writeNameOf } };
    }
    if (isRequest(message)) {
      const fix = 'Write the names of the headers in lower case: x-fp-timestamp.';
      yield* vary('header-case', 'The names of the headers were not in lower case.', toHeader, fix);
      const whole = 'Write the whole names of the headers: x-fp-timestamp.';
      const what = 'The names of the headers were shortened.';
      yield* vary('header-names', what, withoutPrefix, whole);
      yield* vary('header-names', what, toCamel, whole);
      const dashes = 'The names of the headers have underscores in place of hyphens.';
      yield* vary('header-names', dashes, withUnderscores, whole);
    }
    const exact = 'Names are case-sensitive: sign them as docs/parameters.md writes them.';
    yield* vary('name-case', 'The names of the parameters were in lower case.', toLower, exact);
    const snake = 'The names of the parameters were written with underscores.';
    yield* vary('name-case', snake, toSnake, exact);
  },
};

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const sortBy = (compareItems: (a: SignedItem, b: SignedItem) => number): Recipe['order'] => {
  return (items) => [...items].sort(compareItems);
};
const collator = new Intl.Collator('en');
const orderFix = 'Sort by key in ASCII order: upper-case letters come before lower-case ones.';

type Arrange = Recipe['order'];
const isHeader = ({ from }: SignedItem) => from === 'header';
const isQuery = (item: SignedItem) => !isHeader(item);
const keep: Arrange = (items) => items;
const split =
  (first: (item: SignedItem) => boolean, arrange: Arrange, arrangeRest = arrange): Arrange =>
  (items) => [
    ...arrange(items.filter(first)),
    ...arrangeRest(items.filter((item) => !first(item))),
  ];

/** The wrong orders of any message. */
const orders: readonly (readonly [what: string, arrange: Arrange])[] = [
  ['The items were not sorted, but signed in the order in which they were sent.', keep],
  [
    'The items were sorted without regard to upper and lower case.',
    sortBy((a, b) => compare(a.name.toLowerCase(), b.name.toLowerCase())),
  ],
  [
    'The items were sorted in the order of a dictionary (localeCompare), not in ASCII order.',
    sortBy((a, b) => collator.compare(a.name, b.name)),
  ],
  ['The items were sorted by value, not by key.', sortBy((a, b) => compare(a.value, b.value))],
  ['The items were sorted in descending order.', sortBy((a, b) => compare(b.name, a.name))],
  [
    'The items were signed in the reverse of the order in which they were sent.',
    (items) => items.toReversed(),
  ],
];

/** The wrong orders of a message that has headers too. */
const ordersWithHeaders: typeof orders = [
  ...[sortByName, keep].flatMap((arrange): typeof orders => [
    ['The headers stand before the query parameters.', split(isHeader, arrange)],
    ['The query parameters stand before the headers.', split(isQuery, arrange)],
  ]),
  ['Only the headers were sorted.', split(isHeader, sortByName, keep)],
  [
    'Only the headers were sorted, and the query parameters stand before them.',
    split(isQuery, keep, sortByName),
  ],
];

const order: TextMistake = {
  part: 'order',
  *vary(recipe, message) {
    const vary = (what: string, arrange: Arrange, fix: string) => ({
      mistake: { id: 'order', what, fix },
      recipe: { ...recipe, order: arrange },
    });
    for (const [what, arrange] of orders) yield vary(what, arrange, orderFix);
    const together = 'Put headers and query parameters into one list, then sort it by key.';
    for (const [what, arrange] of isRequest(message) ? ordersWithHeaders : [])
      yield vary(what, arrange, together);
  },
};

const join: TextMistake = {
  part: 'join',
  *vary(recipe) {
    const fix = 'Join each key and value with =, and the items with &.';
    const vary = (what: string, separator: string, equals: string) => ({
      mistake: { id: 'separators', what, fix },
      recipe: { ...recipe, separator, equals },
    });
    const separators: readonly (readonly [words: string, text: string])[] = [
      ['nothing', ''],
      ['commas', ','],
      ['commas and spaces', ', '],
      ['semicolons', ';'],
      ['spaces', ' '],
      ['vertical bars', '|'],
      ['line breaks', '\n'],
      ['“&amp;”', '&amp;'],
    ];
    for (const [words, text] of separators)
      yield vary(`The items were joined with ${words}.`, text, '=');
    yield vary('There is nothing between keys and values.', '&', '');
    yield vary('Keys and values were joined with colons.', '&', ':');
    yield vary('There is nothing between keys, values and items.', '', '');
    yield vary('The items are lines with colons.', '\n', ':');
    for (const [words, separator] of [
      ['&', '&'],
      ['nothing', ''],
      ['line breaks', '\n'],
    ] as const) {
      yield {
        mistake: {
          id: 'values-only',
          what: `Only the values were signed, joined with ${words}.`,
          fix,
        },
        recipe: { ...recipe, writeName: () => '', equals: '', separator },
      };
    }
  },
};

const putAround = (recipe: Recipe, what: string, before: string, after: string): TextVariant => ({
  mistake: { id: 'ends', what, fix: 'Sign the text without anything before or after it.' },
  recipe: { ...recipe, before: before + recipe.before, after: recipe.after + after },
});

const start: TextMistake = {
  part: 'start',
  *vary(recipe) {
    yield putAround(recipe, 'There is a & before the first item.', '&', '');
    yield putAround(recipe, 'There is a ? before the first item.', '?', '');
  },
};

const end: TextMistake = {
  part: 'end',
  *vary(recipe) {
    const lineBreak = 'There is a line break at the end of the text.';
    yield putAround(recipe, 'There is a & after the last item.', '', '&');
    yield putAround(recipe, lineBreak, '', '\n');
    yield putAround(recipe, lineBreak, '', '\r\n');
    yield putAround(recipe, 'There is a space at the end of the text.', '', ' ');
    yield putAround(recipe, 'There is a & before the first item and after the last one.', '&', '&');
  },
};

const bodyFix =
  'The body is not signed. If your service signs its fields, set the option signedBody of createWebhookVerifier.';

const body: TextMistake = {
  part: 'end',
  *vary(recipe, message) {
    if (!message.body) return;
    const mistake = { id: 'body-signed', what: 'The body was signed too.', fix: bodyFix };
    for (const before of ['', '&', '\n'])
      yield { mistake, recipe: { ...recipe, after: `${recipe.after}${before}${message.body}` } };
    const fields = readFields(message.body);
    if (fields.length > 0)
      yield {
        mistake: { ...mistake, what: 'The fields of the body were signed too.' },
        recipe: withItems(recipe, [...recipe.items, ...fields]),
      };
    const named: SignedItem = { name: 'body', value: message.body, from: 'body' };
    yield { mistake, recipe: withItems(recipe, [...recipe.items, named]) };
  },
};

/** Returns the fields of a JSON object that have a text, a number or a boolean. */
function readFields(text: string): SignedItem[] {
  try {
    return Object.entries(JSON.parse(text))
      .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '')
      .map(([name, value]) => ({ name, value: String(value), from: 'body' }));
  } catch {
    return [];
  }
}

/** The address of a widget URL, which is not signed. */
const widgetAddress: TextMistake = {
  part: 'target',
  *vary(recipe, { address, kind }) {
    if (kind !== 'widget-url') return;
    const { scheme, host, path } = address;
    const fix = 'The text for a widget URL has only the items, without method, host and path.';
    const starts = [
      { scheme, host, path: `${path}?` },
      { scheme: '', host, path: `${path}?` },
      { scheme: '', host: '', path: `${path}?` },
      { scheme: '', host, path },
      { method: 'GET', scheme: '', host, path: `${path}?` },
      { method: 'GET', scheme: '', host: '', path: `${path}?` },
    ];
    for (const start of starts)
      yield {
        mistake: {
          id: 'target-signed',
          what: 'The text begins with the address of the widget.',
          fix,
        },
        recipe: { ...recipe, target: { ...recipe.target, ...start } },
      };
  },
};

type PutTarget = (id: string, what: string, change: Partial<SignedTarget>) => TextVariant;

/** Creates a mistake in one part of the address of a request or a webhook. */
const ofTarget = (
  part: Part,
  list: (put: PutTarget, target: SignedTarget, message: SignedMessage) => Iterable<TextVariant>,
): TextMistake => ({
  part,
  *vary(recipe, message) {
    if (!isRequest(message)) return;
    const asRegistered =
      message.kind === 'webhook'
        ? 'The service signs the address that you registered: verify with exactly that URL.'
        : 'The text begins with the method in upper case, the host with its port, the path and ?.';
    const asRequested =
      message.kind === 'webhook'
        ? asRegistered
        : 'Sign the path exactly as it is in the URL of the request.';
    const put: PutTarget = (id, what, change) => ({
      mistake: { id, what, fix: /slash|^path/.test(id) ? asRequested : asRegistered },
      recipe: { ...recipe, target: { ...recipe.target, ...change } },
    });
    yield* list(put, recipe.target, message);
  },
});

const method = ofTarget('method', function* (put, { method }) {
  for (const other of ['GET', 'POST', 'PUT'])
    if (other !== method)
      yield put('other-method', `The method was signed as ${other}.`, { method: other });
  yield put('method-case', 'The method was not in upper case.', { method: method.toLowerCase() });
  yield put('method-missing', 'The text has no method.', { method: '' });
});

const scheme = ofTarget('scheme', function* (put, _, { address }) {
  const own = address.scheme || 'https://';
  for (const scheme of [own, own === 'https://' ? 'http://' : 'https://'])
    yield put('scheme-signed', 'The text contains http:// or https://.', { scheme });
});

const host = ofTarget('host', function* (put, { host }, { otherHeaders }) {
  for (const { name, value } of otherHeaders)
    if (/^(?:host|x-forwarded-host)$/.test(name) && value !== host)
      yield put('other-host', `The host is that of the header ${name}.`, { host: value });
  const [, bare = '', rest = ''] = /^(localhost|127\.0\.0\.1)(:.*)?$/.exec(host) ?? [];
  for (const local of ['localhost', '127.0.0.1'])
    if (bare !== '' && bare !== local)
      yield put('other-host', `The host was signed as ${local}.`, { host: local + rest });
  yield put('host-case', 'The host was not in lower case.', { host: host.toUpperCase() });
  yield put('host-missing', 'The text has no host.', { host: '' });
});

const port = ofTarget('port', function* (put, { host }) {
  const bare = host.replace(/:\d+$/, '');
  if (bare !== host) yield put('port-missing', 'The host has no port.', { host: bare });
  else
    for (const port of ['443', '80'])
      yield put('port-added', `The host was signed with the port ${port}.`, {
        host: `${host}:${port}`,
      });
});

const path = ofTarget('path', function* (put, { path }) {
  if (path.endsWith('/'))
    yield put('trailing-slash', 'The path was signed without the slash at its end.', {
      path: path.slice(0, -1),
    });
  yield put('trailing-slash', 'The path was signed with a slash at its end.', {
    path: `${path}/`,
  });
  yield put('double-slash', 'The path begins with two slashes.', { path: `/${path}` });
  yield put('double-slash', 'The path was signed without the slash at its start.', {
    path: path.slice(1),
  });
  const segments = path.split('/').slice(1);
  for (let at = 1; at < segments.length; at++)
    yield put(
      'path-shortened',
      `The path was signed without /${segments.slice(0, at).join('/')}.`,
      { path: `/${segments.slice(at).join('/')}` },
    );
  const decoded = decodePercent(path);
  if (decoded !== undefined && decoded !== path)
    yield put('path-decoded', 'The path was decoded before it was signed.', { path: decoded });
  yield put('path-missing', 'The text has no path.', { path: '' });
});

const mark = ofTarget('mark', function* (put) {
  yield put('mark-missing', 'There is no ? between the path and the items.', { mark: '' });
  yield put('mark-missing', 'There is a & in place of the ? after the path.', { mark: '&' });
  for (const [words, glue] of [
    ['line breaks', '\n'],
    ['spaces', ' '],
    ['& signs', '&'],
  ] as const) {
    yield put('target-joined', `Method, host and path were joined with ${words}.`, { glue });
    yield put('target-joined', `Method, host, path and items were joined with ${words}.`, {
      glue,
      mark: glue,
    });
  }
});

const wholeTarget = ofTarget('target', function* (put) {
  yield put('target-missing', 'The text has no method, host and path.', noTarget);
  yield put('target-missing', 'The text has no method and no host.', { method: '', host: '' });
});

const instead: TextMistake = {
  part: 'instead',
  *vary(recipe, message) {
    const put = (id: string, what: string, text: string) => ({
      mistake: { id, what, fix: 'Build the text as docs/signing.md describes.' },
      recipe: { ...recipe, instead: text },
    });
    const names = new Set(recipe.items.map(({ name }) => name));
    const missing = message.right.items.filter(({ name }) => !names.has(name));
    yield put(
      'query-as-sent',
      'The query was signed as it is in the URL: not sorted, encoded, with every parameter.',
      message.rawQuery
        .split('&')
        .filter((item) => !missing.some(({ name }) => item.startsWith(`${name}=`)))
        .join('&'),
    );
    if (isRequest(message)) yield put('items-missing', 'Only the address was signed.', '');
    for (const arrange of [recipe.order, keep])
      for (const write of [writePlain, recipe.writeValue]) {
        const items = arrange(recipe.items);
        const entries = items.map((item) => [recipe.writeName(item), write(item)] as const);
        const json = JSON.stringify(Object.fromEntries(entries));
        yield put('json', 'The items were signed as JSON.', json);
      }
    if (!message.body) return;
    const mistake = { id: 'body-signed', what: 'Only the body was signed.', fix: bodyFix };
    yield { mistake, recipe: { ...recipe, instead: message.body } };
    yield { mistake, recipe: { ...recipe, target: noTarget, instead: message.body } };
  },
};

const known: readonly TextMistake[] = [
  missing,
  unsigned,
  emptyValues,
  notSent,
  signatureItem,
  spellings,
  values,
  names,
  order,
  join,
  widgetAddress,
  method,
  scheme,
  host,
  port,
  path,
  mark,
  wholeTarget,
  start,
  end,
  body,
  instead,
];

/** A text that a signer may have signed, with the mistakes that lead to it. */
export interface TextCandidate {
  readonly mistakes: readonly Mistake[];
  readonly recipe: Recipe;
  readonly text: string;
}

/** Lists every text with one known mistake, each once. */
export function listSingleMistakes(message: SignedMessage): TextCandidate[] {
  const seen = new Set([buildText(message.right)]);
  return [...listSingles(message)]
    .map(({ candidate }) => candidate)
    .filter(({ text }) => !seen.has(text) && seen.add(text));
}

/**
 * Lists the texts with two known mistakes. It repeats some, because remembering them takes longer than trying them
 * again.
 */
export function* listDoubleMistakes(message: SignedMessage): Generator<TextCandidate> {
  const build = createTextBuilder();
  const seen = new Set([buildText(message.right)]);
  for (const { candidate, mistake } of listSingles(message)) {
    const { part } = mistake;
    // Names that look the same may be sorted differently beside a second mistake.
    if (seen.has(candidate.text) && part !== 'names') continue;
    seen.add(candidate.text);
    // The mistakes of items come first in the list, so that those after them see the items of both.
    for (const other of known.slice(known.indexOf(mistake))) {
      if (other.part === part && !growing.includes(part)) continue;
      for (const { mistake: second, recipe } of other.vary(candidate.recipe, message))
        yield { mistakes: [...candidate.mistakes, second], recipe, text: build(recipe) };
    }
  }
}

function* listSingles(message: SignedMessage) {
  for (const mistake of known)
    for (const { mistake: single, recipe } of mistake.vary(message.right, message)) {
      const candidate: TextCandidate = { mistakes: [single], recipe, text: buildText(recipe) };
      yield { candidate, mistake };
    }
}

/** Lists the texts in every other order, for a message of few items. It is the last thing to try. */
export function* listOrders({ right }: SignedMessage): Generator<TextCandidate> {
  if (right.items.length > 7) return;
  const what = 'The items were signed in another order.';
  for (const items of permute(right.items)) {
    const recipe = { ...right, order: () => items };
    yield { mistakes: [{ id: 'order', what, fix: orderFix }], recipe, text: buildText(recipe) };
  }
}

function* permute<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length < 2) yield items;
  for (const [at, item] of items.entries())
    for (const rest of items.length < 2 ? [] : permute(items.toSpliced(at, 1)))
      yield [item, ...rest];
}
