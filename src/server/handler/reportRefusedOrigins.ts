import type { MiddlewareHandler } from 'hono';
import { RampError } from '../../protocol/errors/RampError.js';
import { createReportLimit } from '../internal/errorReports.js';
import type { HandlerSettings } from './HandlerSettings.js';

const MAX_LENGTH = 100;

/**
 * Creates a middleware that reports each origin outside `allowedOrigins` once a minute. The browser hides the
 * response from a page of such an origin, and after a refused preflight it does not even send the request, so
 * only this report names the origin.
 */
export function reportRefusedOrigins({
  origins,
  onError,
  runtime,
}: Pick<HandlerSettings<never>, 'origins' | 'onError' | 'runtime'>): MiddlewareHandler {
  const isDue = createReportLimit(runtime);
  return async (c, next) => {
    const origin = c.req.header('origin');
    if (origin && !origins.has(origin)) {
      const quoted = quote(origin);
      if (isDue(quoted)) onError(createOriginError(quoted));
    }
    await next();
  };
}

/** Quotes a header that any client can send: short, and without control characters. */
function quote(origin: string): string {
  const printable = origin.slice(0, MAX_LENGTH).replace(/[^\x21-\x7e]|["\\]/g, '?');
  return `"${printable}${origin.length > MAX_LENGTH ? '…' : ''}"`;
}

const createOriginError = (quoted: string) =>
  new RampError(
    'ERR_REQUEST',
    `A request from the origin ${quoted} is refused, because allowedOrigins of createRampHandler does not list it. ${quoted === '"null"' ? 'A file or a sandboxed frame has this origin: serve your page from a web server, without such a frame.' : 'If your pages have this origin, add it exactly as quoted; otherwise another site or a script called your backend.'} Each origin is reported once a minute.`,
  );
