import { createConfigError } from '../../protocol/errors/RampError.js';
import { isPromise, isQuoted, type OptionReader, QUOTED } from '../internal/options.js';

/**
 * The origins of the pages that may call the handler: a list, or a function for origins that are not known in advance,
 * such as those of preview deployments.
 */
export type AllowedOrigins = readonly string[] | ((origin: string) => boolean);

/** @throws RampError `ERR_CONFIG_INVALID` unless the value is a function or a list of exact origins. */
export const parseOrigins: OptionReader<AllowedOrigins> = (origins, { refuse }) => {
  if (typeof origins === 'function') return origins as (origin: string) => boolean;
  if (typeof origins === 'string')
    return refuse(
      "expects a list as allowedOrigins and was given one text. Write ['https://shop.example'], or split a text with commas: process.env.SHOP_ORIGINS.split(',').",
    );
  if (!Array.isArray(origins) || origins.length === 0)
    return refuse(
      "needs allowedOrigins: a list of the origins of your pages, such as ['https://shop.example'].",
    );
  const index = origins.findIndex((origin) => !isWebOrigin(origin));
  if (index < 0) return origins;
  // Quote at most the entry's origin, never the whole entry: it may contain a password, or be a secret pasted in the
  // wrong place.
  return refuse(
    `expects exact origins as allowedOrigins, and entry ${index + 1} is not one. ${suggestOrigin(origins[index])}`,
  );
};

/** Returns a sentence that says how to write the origin that `entry` probably means. */
export function suggestOrigin(entry: unknown): string {
  const wrong = String(entry);
  if (wrong === '*')
    return 'A wildcard is not allowed, because requests carry cookies: list each origin, such as https://shop.example, or pass a function.';
  if (wrong.includes(','))
    return "It is several origins in one text: split it, for example with process.env.SHOP_ORIGINS.split(',').";
  if (wrong !== wrong.trim()) return 'Remove the white space around it, for example with trim().';
  if (isQuoted(wrong)) return `It ${QUOTED}`;
  const origin = URL.canParse(wrong) && new URL(wrong).origin;
  return isWebOrigin(origin)
    ? `Write it as ${origin}, without a path or a slash at the end.`
    : 'Write the scheme, the host and the port if there is one, such as https://shop.example.';
}

/** Returns whether a value is exactly an origin of web pages, as browsers send it. */
export function isWebOrigin(origin: unknown): boolean {
  try {
    const url = new URL(origin as string);
    return url.origin === origin && ['http:', 'https:'].includes(url.protocol);
  } catch {
    return false;
  }
}

/**
 * Returns a function that tells whether an origin is one of the shop's. It compares whole origins: their scheme, host
 * and port.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when the partner's function does not return a boolean.
 */
export function createOriginCheck(allowed: AllowedOrigins): (origin: string) => boolean {
  if (typeof allowed !== 'function') {
    const origins = new Set(allowed);
    return (origin) => origins.has(origin);
  }
  return (origin) => {
    // The shop's function may check only part of the text, such as its end, so never pass it anything but a web origin.
    if (!isWebOrigin(origin)) return false;
    const isAllowed: unknown = allowed(origin);
    if (typeof isAllowed === 'boolean') return isAllowed;
    throw createConfigError(
      'allowedOrigins',
      isPromise(isAllowed)
        ? 'returned a Promise: it must return true or false at once.'
        : `returned ${typeof isAllowed}: it must return true or false.`,
    );
  };
}
