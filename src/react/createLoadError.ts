import type { RampError } from '../protocol/errors/RampError.js';

/**
 * Creates the error for lazy code that failed to load. The class RampError is lazy too, so it may be missing. The
 * result is therefore a plain Error with the fields of a RampError, which isRampError() accepts.
 */
export const createLoadError = (cause: unknown): RampError =>
  Object.assign(new Error(cause ? 'Reload the page to retry.' : 'You are offline.', { cause }), {
    name: 'RampError',
    code: 'ERR_NETWORK',
  }) as RampError;
