import { RampError, type RampErrorCode } from '../../protocol/errors/RampError.js';

/**
 * Returns the cause when it is a RampError, and wraps anything else in one.
 *
 * The check of isRampError() is repeated here on purpose. esbuild adds whatever the package's entry
 * exports and a lazy part imports to the code that a page loads at once.
 */
export function toRampError(cause: unknown, code: RampErrorCode, message: string): RampError {
  return cause instanceof Error && cause.name === 'RampError'
    ? (cause as RampError)
    : new RampError(code, message, { cause });
}
