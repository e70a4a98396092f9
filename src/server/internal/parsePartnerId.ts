import { createConfigError } from '../../protocol/errors/RampError.js';
import { valueFormats } from '../../protocol/widget/valueFormats.js';
import { checkText } from './checkText.js';

/** Validates the option `partnerId`. @throws RampError `ERR_CONFIG_INVALID` */
export function parsePartnerId(partnerId: unknown): string {
  const { pattern, words } = valueFormats.token;
  if (typeof partnerId === 'string' && pattern.test(partnerId)) return partnerId;
  checkText('partnerId', partnerId);
  throw createConfigError(
    'partnerId',
    `must be ${words}: the partner ID that was issued at onboarding.`,
  );
}
