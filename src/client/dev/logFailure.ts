import type { RampError } from '../../protocol/errors/RampError.js';
import type { BackendSettings } from '../backend/fetchBackend.js';
import { errorDocs } from './errorDocs.js';

const logged = new Set<string>();

/**
 * Prints a failure to the console, because the shopper sees only a general text. In development, each failure is a
 * warning with advice. In production, each error code is printed once per page, for services that collect console
 * errors.
 *
 * @param settings - The failed request's settings, used for advice about missing cookies.
 */
export function logFailure(
  error: RampError,
  settings?: Pick<BackendSettings, 'api' | 'credentials'>,
): void {
  if (process.env.NODE_ENV !== 'production') {
    import('./warnInDev.js').then(({ warnInDev }) => warnInDev(error, settings));
    return;
  }
  const { code, message } = error;
  // Do not log a blocked window: it is not the shop's failure, and the shopper gets a link.
  if (logged.has(code) || code === 'ERR_WIDGET_BLOCKED') return;
  logged.add(code);
  console.error(`[partner-ramp] ${code}: ${message} ${errorDocs}${code.toLowerCase()}`);
}
