import { RampError } from '../../protocol/errors/RampError.js';
import type { SignedCheckout } from '../backend/CheckoutSigner.js';
import { premiumOnly } from '../params/parameterRules.js';
import type { Opening } from './Opening.js';
import { toRampError } from './toRampError.js';

const TIMEOUT_MS = 20_000;

/**
 * Waits for the signature of one opening, for 20 seconds at most. Returns `undefined` for a Basic Partner. If a
 * signer is configured, its signature is required.
 *
 * @throws RampError `ERR_TIMEOUT`, `ERR_SIGNER`, `ERR_CONFIG_INVALID`, or the error of the signer.
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
      `${unsigned.join(' and ')} must be signed: pass api or signer to the component or RampProvider.`,
    );
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new RampError('ERR_TIMEOUT', 'The signer did not respond within 20 seconds.')),
      TIMEOUT_MS,
    );
  });
  const answer = await Promise.race([signed.catch(throwSignerError), late]).finally(() =>
    clearTimeout(timer),
  );
  if (answer?.params?.signature) return answer;
  throw new RampError(
    'ERR_SIGNER',
    'The signer returned no signed parameters. It must return { params } with a signature.',
  );
}

function throwSignerError(cause: unknown): never {
  throw toRampError(cause, 'ERR_SIGNER', 'The signer failed; see the cause.');
}
