import type { RampError } from './RampError.js';

/** Returns whether `value` is a {@link RampError}, also one of another copy of this package. */
export function isRampError(value: unknown): value is RampError {
  return value instanceof Error && value.name === 'RampError';
}
