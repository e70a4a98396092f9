import type { RampError } from '../../protocol/errors/RampError.js';
import type { BackendSettings } from '../backend/fetchBackend.js';
import { errorDocs } from './errorDocs.js';

const logged = new Set<string>();

/**
 * Prints a failure, because the shopper sees only a general text. In development each failure is a warning with
 * advice; in production each code is printed once per page, so that a log of the page's console shows it.
 *
 * @param settings - The settings of the failed request.
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
  // A link replaces a blocked window, and the shop has not failed.
  if (logged.has(code) || code === 'ERR_WIDGET_BLOCKED') return;
  logged.add(code);
  console.error(`[partner-ramp] ${code}: ${message} ${errorDocs}${code.toLowerCase()}`);
}
