import { createConfigError } from '../../protocol/errors/createConfigError.js';
import { valueFormats } from '../../protocol/widget/valueFormats.js';

/** Returns the partner ID of an option. @throws RampError `ERR_CONFIG_INVALID` */
export function parsePartnerId(partnerId: unknown): string {
  const { pattern, words } = valueFormats.token;
  if (typeof partnerId === 'string' && pattern.test(partnerId)) return partnerId;
  throw createConfigError(
    'partnerId',
    partnerId === undefined || partnerId === ''
      ? 'is missing: is the environment variable set that holds it?'
      : `must be ${words}, as it was issued at onboarding.`,
  );
}
