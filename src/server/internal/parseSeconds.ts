import { createConfigError } from '../../protocol/errors/RampError.js';

/** The longest time of a timer. A longer one would fire immediately. */
export const TIMER_SECONDS = Math.floor((2 ** 31 - 1) / 1000);

/** Validates an option in whole seconds, from 1 to `most`. @throws RampError `ERR_CONFIG_INVALID` */
export function parseSeconds(
  option: string,
  seconds: number,
  most = Number.MAX_SAFE_INTEGER,
): number {
  if (Number.isSafeInteger(seconds) && seconds > 0 && seconds <= most) return seconds;
  const upTo = most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : '';
  throw createConfigError(option, `must be whole seconds from 1${upTo}.${describeText(seconds)}`);
}

/** Returns the sentence that explains a number in the form of text, which every environment variable has. */
export const describeText = (value: unknown): string =>
  typeof value === 'string'
    ? ' It is text, not a number: convert it, for example with Number(process.env.NAME).'
    : '';
