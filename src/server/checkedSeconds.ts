import { RampError } from '../protocol/ramp-error.js';

/** An option in whole seconds. @throws RampError `ERR_CONFIG_INVALID` */
export function checkedSeconds(option: string, seconds: number): number {
  if (Number.isSafeInteger(seconds) && seconds > 0) return seconds;
  throw new RampError('ERR_CONFIG_INVALID', `${option} takes whole seconds, from 1.`);
}
