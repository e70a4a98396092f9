// This function has its own file so that a page can use it without loading the class RampError.
import type { RampError } from './RampError.js';

/** Returns whether `value` is a {@link RampError}, even if another copy of this package created it. */
export function isRampError(value: unknown): value is RampError {
  return value instanceof Error && value.name === 'RampError';
}
