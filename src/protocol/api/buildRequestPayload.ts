import { createParamsError } from '../errors/RampError.js';
import { createQueryError, parseQuery } from '../query.js';

/** The parts of a request that its signature covers (service interface, sections 5.1 and 5.2). */
export interface SignedRequest {
  /** The HTTP method in upper or lower case. It is signed in upper case. */
  readonly method: string;
  /** The absolute URL, including the query. */
  readonly url: string;
  /** The HTTP headers. Those whose names begin with `X-Fp-` are signed, except `X-Fp-Signature`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The issue that is reported for a name that {@link isAsciiName} refuses. */
export const NOT_ASCII =
  'has a character outside ASCII in its name, which languages sort differently';

/**
 * Returns whether a name is ASCII. Only ASCII names can be sorted reliably: the service does not document the order
 * of other names, and UTF-16 code units (JavaScript, Java) sort differently from code points (Python) and bytes (PHP,
 * Go).
 */
export const isAsciiName = (name: string): boolean => /^[\0-\x7f]*$/.test(name);

/**
 * Builds the canonical text that is signed for a request of the partner API (section 5.1) and for a webhook (section
 * 5.2): method, host, path and `?`, then the `x-fp-*` headers and the query parameters. Headers and parameters
 * without a value are dropped. The others are sorted by name in ASCII order and joined as `key=value` with `&`,
 * without encoding.
 *
 * @throws RampError `ERR_PARAMS_INVALID` when `url` is not absolute, when its percent-encoding is malformed, or when
 * the name of a header or parameter appears twice or contains a character outside ASCII.
 * @example
 * buildRequestPayload({ method: 'GET', url: 'https://api.example/open/api/onramp/currency', headers: { 'X-Fp-Nonce': '1' } });
 * // 'GETapi.example/open/api/onramp/currency?x-fp-nonce=1'
 */
export function buildRequestPayload({ method, url, headers }: SignedRequest): string {
  const { host, pathname, search } = parseUrl(url);
  const items = parseQuery(search);
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase();
    if (!key.startsWith('x-fp-') || key === 'x-fp-signature') continue;
    if (key in items) throw createQueryError(key, 'appears twice');
    items[key] = value;
  }
  const name = Object.keys(items).find((key) => items[key] && !isAsciiName(key));
  if (name !== undefined) throw createQueryError(name, NOT_ASCII);
  return joinRequestPayload(method, host + pathname, items);
}

function parseUrl(url: string): URL {
  try {
    return new URL(url);
  } catch {
    throw createParamsError(
      [{ param: 'url', message: 'must be an absolute URL' }],
      'The request was',
    );
  }
}

/**
 * Builds the text of {@link buildRequestPayload} from parts that are already parsed. `address` is the host and the
 * path, `items` are the headers and the query parameters.
 */
export function joinRequestPayload(
  method: string,
  address: string,
  items: Readonly<Record<string, string>>,
): string {
  const text = Object.keys(items)
    .filter((key) => key && items[key])
    .sort()
    .map((key) => `${key}=${items[key]}`)
    .join('&');
  return `${method.toUpperCase()}${address}?${text}`;
}
