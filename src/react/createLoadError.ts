import type { RampError } from '../protocol/errors/RampError.js';

/**
 * Creates the error of lazy code that failed to load. The class RampError is lazy too, and may be what is missing, so this
 * is an Error with its fields, which isRampError() accepts.
 */
export const createLoadError = (cause: unknown): RampError =>
  Object.assign(new Error('Reload the page to retry.', { cause }), {
    name: 'RampError',
    code: 'ERR_NETWORK',
  }) as RampError;
