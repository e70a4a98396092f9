import { RampError } from '../../protocol/errors/RampError.js';
import type { SignedCheckout } from '../backend/CheckoutSigner.js';
import { premiumOnly } from '../params/parameterRules.js';
import type { Opening } from './Opening.js';
import { toRampError } from './toRampError.js';

const TIMEOUT_MS = 20_000;

/**
 * The signature of one opening; nothing for a Basic Partner. Where a signer is configured there is
 * no way past it.
 *
 * @throws RampError `ERR_TIMEOUT`, `ERR_SIGNER`, `ERR_CONFIG_INVALID`, and what the signer throws.
 */
export async function awaitSignature(
  { options }: Opening,
  signed: Promise<SignedCheckout> | undefined,
): Promise<SignedCheckout | undefined> {
  if (!signed) {
    const { widget, signedParams } = options;
    const given: readonly string[] = Object.keys(signedParams ?? {});
    const unsigned =
      widget === 'nft' ? ['NFT checkout'] : premiumOnly.filter((n) => given.includes(n));
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
  const answer = await Promise.race([signed.catch(throwSignerError), late]).finally(() =>
    clearTimeout(timer),
  );
  if (answer?.params?.signature) return answer;
  throw new RampError(
    'ERR_SIGNER',
    'The signer answered no signed parameters, so nothing was opened. It must answer { params } with a signature.',
  );
}

function throwSignerError(cause: unknown): never {
  throw toRampError(cause, 'ERR_SIGNER', 'The signer failed; see the cause.');
}
