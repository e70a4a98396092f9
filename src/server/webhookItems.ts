import { isLosslessNumber, parse } from 'lossless-json';
import { parseQuery } from '../protocol/parse-query.js';
import { utf8 } from './readBounded.js';
import { WebhookError } from './WebhookError.js';

/** One value, several, or none: as Node, Express and `Headers` have them. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>;

const PREFIX = 'x-fp-';
// The text joins names and values unescaped: neither may hold what joins them. A comma is what a header
// that stands twice is joined with.
const HEADER_NAME = /^x-fp-[a-z0-9-]+$/;
const HEADER_VALUE = /^[!-%'-+\--<>-~]*$/;
const UNJOINED = /^[^&=]*$/;

/** The `x-fp-*` headers in lower case, each once. @throws WebhookError */
export function readHeaders(headers: WebhookHeaders): Map<string, string> {
  const found = new Map<string, string>();
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  for (const [name, given] of entries) {
    const key = name.toLowerCase();
    if (!key.startsWith(PREFIX) || given === undefined) continue;
    const values = typeof given === 'string' ? [given] : given;
    const [value] = values;
    if (values.length !== 1 || found.has(key) || value?.includes(','))
      throw new WebhookError('header-repeated');
    // The signature has its own alphabet, which is checked with it.
    const isWritten = key === 'x-fp-signature' || HEADER_VALUE.test(value ?? '&');
    if (!HEADER_NAME.test(key) || !isWritten) throw new WebhookError('header-malformed');
    found.set(key, value as string);
  }
  return found;
}

/** The query's plain values. @throws WebhookError */
export function readQuery(query: string): [string, string][] {
  try {
    return unjoined(Object.entries(parseQuery(query)));
  } catch (cause) {
    throw new WebhookError('query-malformed', cause);
  }
}

/** The scalar fields of a JSON object, written as they stand in it. @throws WebhookError */
export function readBody(body: Uint8Array): [string, string][] {
  try {
    const fields = parse(utf8(body));
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
      throw new TypeError('no object');
    const scalars = Object.entries(fields).flatMap(([name, value]): [string, string][] => {
      if (isLosslessNumber(value)) return [[name, value.toString()]];
      return typeof value === 'string' || typeof value === 'boolean' ? [[name, `${value}`]] : [];
    });
    return unjoined(scalars);
  } catch (cause) {
    throw new WebhookError('body-malformed', cause);
  }
}

function unjoined(items: [string, string][]): [string, string][] {
  for (const [name, value] of items)
    if (name.toLowerCase().startsWith(PREFIX) || !UNJOINED.test(name) || !UNJOINED.test(value))
      throw new TypeError('a name or value that the text cannot hold');
  return items;
}
