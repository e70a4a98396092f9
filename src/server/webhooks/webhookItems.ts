import { isAsciiName, NOT_ASCII } from '../../protocol/api/buildRequestPayload.js';
import { RampError } from '../../protocol/errors/RampError.js';
import { parseQuery } from '../../protocol/query.js';
import { WebhookError } from './WebhookError.js';

/** Headers in the form of Node, Express or the Fetch API. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>;

const PREFIX = 'x-fp-';
// The signed text joins names and values unescaped, so neither may contain `&` or `=`.
const HEADER_NAME = /^x-fp-[a-z0-9-]+$/;
const HEADER_VALUE = /^[!-%'-+\--<>-~]*$/;

/**
 * Returns the `x-fp-*` headers with their names in lower case.
 *
 * @throws WebhookError `header-repeated` or `header-malformed`
 */
export function parseSignedHeaders(headers: WebhookHeaders): Map<string, string> {
  const found = new Map<string, string>();
  const entries = isIterable(headers) ? [...headers] : Object.entries(headers);
  for (const [name, given] of entries) {
    const key = name.toLowerCase();
    if (!key.startsWith(PREFIX) || given === undefined) continue;
    const values = typeof given === 'string' ? [given] : given;
    const [value = '&'] = values;
    if (values.length !== 1 || found.has(key))
      throw new WebhookError('header-repeated', createItemError(key, 'appears twice'));
    if (value.includes(','))
      throw new WebhookError(
        'header-repeated',
        createItemError(
          key,
          'has a comma, with which servers join the values of a repeated header',
        ),
      );
    const message = findHeaderIssue(key, value);
    if (message) throw new WebhookError('header-malformed', createItemError(key, message));
    found.set(key, value);
  }
  return found;
}

/** `Headers` of another realm or package, such as undici, are not instances of the global class. */
const isIterable = (headers: WebhookHeaders): headers is Headers => Symbol.iterator in headers;

function findHeaderIssue(name: string, value: string): string | undefined {
  if (!HEADER_NAME.test(name)) return 'has a name with other characters than a-z, 0-9 and -';
  // The signature may contain `=`, because it is base64. It is checked when it is verified.
  if (name === 'x-fp-signature' || HEADER_VALUE.test(value)) return undefined;
  return 'has white space, "&", "=" or a character outside ASCII in its value';
}

/** Returns the decoded items of a query that have a value. @throws WebhookError */
export function parseSignedQuery(query: string): [string, string][] {
  try {
    return checkItems(Object.entries(parseQuery(query)));
  } catch (cause) {
    throw new WebhookError('query-malformed', cause);
  }
}

/** Drops empty items (service interface, section 5.2), and refuses items that make the joined text ambiguous. */
export function checkItems(items: [string, string][]): [string, string][] {
  const present = items.filter(([name, value]) => name !== '' && value !== '');
  for (const [param, value] of present) {
    const message = findItemIssue(param, value);
    if (message) throw createItemError(param, message);
  }
  return present;
}

const createItemError = (param: string, message: string) =>
  new RampError('ERR_PARAMS_INVALID', `${JSON.stringify(param)} ${message}.`, {
    issues: [{ param, message }],
  });

/**
 * Finds the issue of an item. Names and values are joined unescaped as `name=value&name=value`, which is
 * unambiguous if no name contains `&` or `=`, and no value contains `&` with a `=` after it. A value may
 * contain `=` alone or `&` alone.
 */
function findItemIssue(name: string, value: string): string | undefined {
  if (name.toLowerCase().startsWith(PREFIX)) return 'has a name that is reserved for headers';
  if (!isAsciiName(name)) return NOT_ASCII;
  if (/[&=]/.test(name)) return 'has "&" or "=" in its name, which the signed text cannot contain';
  if (/&[^&]*=/.test(value))
    return 'has "&" followed by "=" in its value, which could be read as another field';
  return undefined;
}
