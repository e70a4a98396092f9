import { RampError } from './errors/RampError.js';

/**
 * Parses a query strictly and returns an object without a prototype.
 *
 * @param query - The percent-encoded query, with or without a leading `?`.
 * @throws RampError `ERR_PARAMS_INVALID` for a duplicate name and for malformed percent-encoding.
 */
export function parseQuery(query: string): Record<string, string> {
  const params: Record<string, string> = Object.create(null);
  for (const item of query.replace(/^\?/, '').split('&')) {
    if (item === '') continue;
    const at = item.indexOf('=');
    const name = decode(at < 0 ? item : item.slice(0, at));
    if (name in params) throw createQueryError(name, 'appears twice');
    params[name] = at < 0 ? '' : decode(item.slice(at + 1));
  }
  return params;
}

function decode(text: string): string {
  // Skip the decoding when nothing is encoded, which is the case for most values of a signed query.
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw createQueryError('', 'malformed percent-encoding');
  }
}

/**
 * Creates the `ERR_PARAMS_INVALID` error for a query parameter, or for a header that is signed together with the
 * query.
 */
export function createQueryError(param: string, message: string): RampError {
  return new RampError(
    'ERR_PARAMS_INVALID',
    `The query was refused: ${param ? `${param} ` : ''}${message}.`,
    { issues: [{ param, message }] },
  );
}

/** The issue of a value with a lone surrogate. It follows the parameter's name. */
export const LONE_SURROGATE = 'contains half of a surrogate pair, which no URL can carry';

/**
 * Encodes a value as `encodeURIComponent` does, but throws a `RampError` instead of a `URIError`.
 *
 * @throws RampError `ERR_PARAMS_INVALID` when the value contains a lone surrogate.
 */
export function encodeQueryValue(param: string, value: string): string {
  try {
    return encodeURIComponent(value);
  } catch (cause) {
    throw new RampError('ERR_PARAMS_INVALID', `${param} ${LONE_SURROGATE}.`, {
      issues: [{ param, message: LONE_SURROGATE }],
      cause,
    });
  }
}
