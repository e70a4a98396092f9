import { RampError, type RampErrorCode } from '../../protocol/errors/RampError.js';

/**
 * Returns the cause if it is a RampError, and wraps anything else in one.
 *
 * It repeats the check of isRampError() on purpose: esbuild adds everything that the package's entry
 * exports and a lazy chunk imports to the first chunk.
 */
export function toRampError(cause: unknown, code: RampErrorCode, message: string): RampError {
  return cause instanceof Error && cause.name === 'RampError'
    ? (cause as RampError)
    : new RampError(code, message, { cause });
}
