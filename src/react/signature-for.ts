import { RampError } from '../protocol/ramp-error.js';
import type { Opening } from './checkout-session.js';
import type { SignedCheckout } from './checkout-types.js';
import { onRampPremiumOnly } from './parameter-rules.js';

const TIMEOUT_MS = 20_000;

/**
 * The signature of one opening; nothing for a Basic Partner. Where a signer is configured there is
 * no way past it.
 *
 * @throws RampError `ERR_TIMEOUT`, `ERR_SIGNER`, `ERR_CONFIG_INVALID`, and what the signer throws.
 */
export async function signatureFor({
  signed,
  options,
}: Opening): Promise<SignedCheckout | undefined> {
  if (!signed) {
    const unsigned = onRampPremiumOnly.filter((name) => options.signedParams?.[name]);
    if (unsigned.length === 0) return undefined;
    throw new RampError(
      'ERR_CONFIG_INVALID',
      `${unsigned.join(' and ')} must be signed: give the component or RampProvider an api or a signer.`,
    );
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new RampError('ERR_TIMEOUT', 'The signer did not answer within 20 seconds.')),
      TIMEOUT_MS,
    );
  });
  try {
    const answer = await Promise.race([signed, late]);
    if (answer?.params?.signature) return answer;
  } finally {
    clearTimeout(timer);
  }
  throw new RampError(
    'ERR_SIGNER',
    'The signer answered no signed parameters, so nothing was opened. It must answer { params } with a signature.',
  );
}
