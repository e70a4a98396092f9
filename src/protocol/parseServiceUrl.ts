import { RampError } from './errors/RampError.js';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Returns whether a URL names this machine. */
export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.test(hostname);

/** Returns whether a URL is safe to use: `https:`, or `http:` on loopback. */
export const isSecureUrl = (url: URL): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));

/**
 * Validates a configured URL of the service and returns it without a trailing slash. The URL must be `https:`, or
 * `http:` on loopback (service interface, section 4.1). It must have no query, fragment or credentials.
 *
 * @param what - The name of the option, for the message.
 * @throws RampError `ERR_CONFIG_INVALID` for any other value.
 */
export function parseServiceUrl(value: string, what: string): string {
  let url: URL | undefined;
  try {
    url = new URL(value);
  } catch {}
  if (!url || !isSecureUrl(url) || url.search || url.hash || url.username || url.password)
    throw new RampError(
      'ERR_CONFIG_INVALID',
      `${what} must be an https: address without query or fragment (http: is allowed on loopback only).`,
    );
  return url.origin + url.pathname.replace(/\/+$/, '');
}
