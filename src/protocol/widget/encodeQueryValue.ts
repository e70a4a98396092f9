import { RampError } from '../errors/RampError.js';

/** The message for a lone surrogate. */
export const LONE_SURROGATE = 'contains half of a surrogate pair, which no URL can carry';

/**
 * Encodes a value as `encodeURIComponent` does, but throws a `RampError` in place of a `URIError`.
 *
 * @throws RampError `ERR_PARAMS_INVALID` when the value contains a lone surrogate.
 */
export function encodeQueryValue(param: string, value: string): string {
  try {
    return encodeURIComponent(value);
  } catch (cause) {
    throw new RampError('ERR_PARAMS_INVALID', `${param} ${LONE_SURROGATE}.`, {
      issues: [{ param, message: LONE_SURROGATE }],
      cause,
    });
  }
}
