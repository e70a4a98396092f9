import type { MiddlewareHandler } from 'hono';
import { RampError } from '../../protocol/errors/RampError.js';
import { createReportLimit } from '../internal/errorReports.js';
import { RequestError } from '../internal/errorResponses.js';
import { type AllowedOrigins, isWebOrigin } from './allowedOrigins.js';
import type { HandlerSettings } from './options.js';

/**
 * Returns whether a page may call the handler: its origin is listed, or the browser says that the page has the same
 * origin as the handler. No page can set the header `Sec-Fetch-Site`. Some older browsers do not send it.
 */
const isAllowedPage = (
  headers: Headers,
  { isListedOrigin }: Pick<HandlerSettings<never>, 'isListedOrigin'>,
): boolean => {
  const origin = headers.get('origin') ?? '';
  const isOwn = headers.get('sec-fetch-site') === 'same-origin' && isWebOrigin(origin);
  return isOwn || isListedOrigin(origin);
};

/**
 * Creates the CORS middleware: only pages of `allowedOrigins` can read a response. It adds the headers to the finished
 * response, because Hono would create a second Response for headers that are set before the route runs.
 *
 * It reports each refused origin at most once a minute. Only this report names the origin: the browser hides the
 * response from the page, and sends no request at all after a refused preflight.
 */
export function allowOrigins<Context>(settings: HandlerSettings<Context>): MiddlewareHandler {
  const { allowedOrigins, onError, runtime } = settings;
  const isDue = createReportLimit(runtime);
  return async (c, next) => {
    const origin = c.req.header('origin');
    const isAllowed = origin && isAllowedPage(c.req.raw.headers, settings);
    if (origin && !isAllowed) {
      const quoted = quote(origin);
      if (isDue(quoted)) onError(createOriginError(quoted, allowedOrigins));
    }
    const isPreflight = c.req.method === 'OPTIONS';
    if (isPreflight) c.res = new Response(null, { status: 204 });
    else await next();
    const { headers } = c.res;
    if (isAllowed) headers.set('Access-Control-Allow-Origin', origin);
    headers.set('Access-Control-Allow-Credentials', 'true');
    // A page on another origin needs both to poll.
    headers.set('Access-Control-Expose-Headers', 'ETag, Retry-After');
    headers.append('Vary', 'Origin');
    if (!isPreflight) return;
    headers.set('Access-Control-Max-Age', '600');
    headers.set('Access-Control-Allow-Methods', 'GET,POST');
    const requested = c.req.header('Access-Control-Request-Headers');
    if (!requested) return;
    headers.set('Access-Control-Allow-Headers', requested);
    headers.append('Vary', 'Access-Control-Request-Headers');
  };
}

const MAX_LENGTH = 100;

/** Quotes the origin, which any client can choose: shortens it, and replaces control characters. */
function quote(origin: string): string {
  const printable = origin.slice(0, MAX_LENGTH).replace(/[^\x21-\x7e]|["\\]/g, '?');
  return `"${printable}${origin.length > MAX_LENGTH ? '…' : ''}"`;
}

const MAX_LISTED = 5;

/** Says what an origin was compared with. */
function describeAllowed(allowed: AllowedOrigins): string {
  if (typeof allowed === 'function') return 'the function allowedOrigins of createRamp refuses it';
  const listed = allowed.slice(0, MAX_LISTED).join(', ');
  const more = allowed.length > MAX_LISTED ? ` and ${allowed.length - MAX_LISTED} more` : '';
  return `allowedOrigins of createRamp has ${listed}${more}`;
}

const createOriginError = (quoted: string, allowed: AllowedOrigins) =>
  new RampError(
    'ERR_ORIGIN_REFUSED',
    `A request from the origin ${quoted} is refused: ${describeAllowed(allowed)}. ${quoted === '"null"' ? 'A file or a sandboxed frame has this origin: serve your page from a web server, without such a frame.' : 'If your pages have this origin, add it exactly as quoted; otherwise another site or a script called your backend.'} Each origin is reported once a minute.`,
  );

/**
 * Creates a middleware against CSRF. Browsers may send the shop's cookies even with requests from pages of other sites,
 * so this middleware refuses requests whose `Origin` is not in the allow-list. `POST /checkouts` has a second
 * protection: `readJson` accepts only JSON, a content type that a form cannot send.
 *
 * With `allowBearer`, a request without an `Origin` passes if it has a bearer token and no cookie. No browser sends
 * such a request for a page on another site, because the `Authorization` header requires a preflight first.
 */
export function requireAllowedOrigin<Context>(
  settings: HandlerSettings<Context>,
): MiddlewareHandler {
  return async (c, next) => {
    const { headers } = c.req.raw;
    const origin = headers.get('origin');
    // If there is an Origin, only the Origin decides, even if it is empty or `null`.
    if (origin !== null || !settings.allowBearer) {
      if (!isAllowedPage(headers, settings)) throw createRefusal(origin);
    } else requireBearerOnly(headers);
    await next();
  };
}

/** @param origin - The origin of the request, or null if it has none. */
const createRefusal = (origin: string | null) =>
  new RequestError(
    'ERR_ORIGIN_REFUSED',
    `${origin === null ? 'The request has no Origin' : `The request has the Origin ${quote(origin)}`}. ${NOT_ALLOWED}`,
  );

const NOT_ALLOWED =
  'This origin is not allowed to open checkouts. If the page is yours, add its origin to allowedOrigins of createRamp, with its scheme and port; localhost and 127.0.0.1 are two origins.';

/**
 * Matches one bearer token. Several `Authorization` headers are joined with commas, so they do not match. The token may
 * contain characters that RFC 6750 does not allow, such as the `|` in Laravel Sanctum's tokens.
 */
const BEARER = /^bearer +[^\s,]+$/i;

/** Matches the values of `Sec-Fetch-Site` that rule out a request from another site. */
const OWN_SITE = /^(same-origin|none)$/;

/** @throws RequestError unless the request can only come from a client that was given the token. */
function requireBearerOnly(headers: Headers): void {
  if (!BEARER.test(headers.get('authorization') ?? ''))
    throw new RequestError(
      'ERR_ORIGIN_REFUSED',
      `${NOT_ALLOWED} A client that is not a page sends no Origin, but one bearer token: Authorization: Bearer, a space and the token.`,
    );
  if (!OWN_SITE.test(headers.get('sec-fetch-site') ?? 'none'))
    throw new RequestError('ERR_ORIGIN_REFUSED', NOT_ALLOWED);
  if (headers.has('cookie'))
    throw new RequestError(
      'ERR_ORIGIN_REFUSED',
      "A request with a bearer token and without an Origin must not have a cookie, because a cookie may belong to another user than the token. Send the request with credentials: 'omit'. React Native sends the cookies of earlier responses by itself, also those that a load balancer sets.",
    );
}
