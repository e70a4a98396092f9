import { reload } from '../messages/EntryMessages.js';
import type { RampError } from '../protocol/errors/RampError.js';

/**
 * Creates the error for lazy code that failed to load. Chromium never requests a module again after a failed import(),
 * so only a reload helps there. The class RampError is lazy too, so it may be missing. The result is therefore a plain
 * Error with the fields of a RampError, which isRampError() accepts.
 */
export const createLoadError = (cause: unknown): RampError =>
  Object.assign(new Error(reload, { cause }), {
    name: 'RampError',
    code: 'ERR_NETWORK',
  }) as RampError;
