import { RampError, type RampErrorCode } from '../../protocol/errors/RampError.js';

/**
 * Returns the cause if it is a RampError, and wraps anything else in one. A missing `fetch`, as in Jest with jsdom, is
 * named: otherwise the signer would be blamed.
 *
 * It repeats the check of isRampError() on purpose: esbuild adds everything that the package's entry
 * exports and a lazy chunk imports to the first chunk.
 */
export function toRampError(cause: unknown, code: RampErrorCode, message: string): RampError {
  if (!(cause instanceof Error)) return new RampError(code, message, { cause });
  if (cause.name === 'RampError') return cause as RampError;
  return cause.name === 'ReferenceError' && typeof fetch === 'undefined'
    ? new RampError('ERR_CONFIG_INVALID', 'fetch is undefined in this environment.', { cause })
    : new RampError(code, message, { cause });
}
