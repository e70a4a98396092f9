import { RampError } from '../../protocol/errors/RampError.js';
import type { SignedCheckout } from '../backend/createHttpSigner.js';
import { toRampError, withTimeout } from '../backend/responses.js';
import { premiumOnly } from '../params/parameterRules.js';
import type { Checkout } from './Checkout.js';
import type { Opening } from './Opening.js';

const TIMEOUT_MS = 20_000;
/** The longest wait after a rate limit. It is short, because the shopper looks at a busy button during the wait. */
const MAX_WAIT_SECONDS = 10;

/**
 * Waits up to 20 seconds for the signature of one opening. If an error says when to retry, as a rate limit does, the
 * request is repeated once.
 *
 * Without a signer, as for a Basic Partner, it resolves with `undefined`, unless the widget or a parameter requires a
 * signature.
 *
 * @throws RampError `ERR_TIMEOUT`, `ERR_SIGNER`, `ERR_CONFIG_INVALID`, or the signer's own error.
 */
export async function awaitSignature(
  checkout: Checkout,
  opening: Opening,
): Promise<SignedCheckout | undefined> {
  const { options } = opening;
  const signed = checkout.signatures.request(options);
  if (!signed) {
    requireNoSignature(opening);
    return undefined;
  }
  const received = await withTimeout(TIMEOUT_MS, 'The signer', undefined, () =>
    signed.catch((error) => requestAgain(error, checkout, opening)).catch(throwSignerError),
  );
  if (received?.params?.signature) return received;
  throw new RampError(
    'ERR_SIGNER',
    'The signer returned no signed parameters. It must return { params } with a signature.',
  );
}

function requireNoSignature({ options: { widget, signedParams = {} } }: Opening): void {
  const unsigned =
    widget === 'nft' ? ['NFT checkout'] : premiumOnly.filter((name) => name in signedParams);
  if (unsigned.length === 0) return;
  throw new RampError(
    'ERR_CONFIG_INVALID',
    `${unsigned.join(' and ')} must be signed: pass api or signer to the component or RampProvider.`,
  );
}

/**
 * Requests the signature once more, after the time that a rate limit asks for. Earlier prefetches, or other shoppers
 * with the same IP address, may have used up that limit.
 */
async function requestAgain(
  error: unknown,
  checkout: Checkout,
  opening: Opening,
): Promise<SignedCheckout> {
  const seconds = (error as RampError | undefined)?.retryAfterSeconds;
  if (!seconds) throw error;
  await new Promise((done) => setTimeout(done, Math.min(seconds, MAX_WAIT_SECONDS) * 1000));
  const again = checkout.isCurrent(opening) && checkout.signatures.request(opening.options);
  if (!again) throw error;
  return again;
}

function throwSignerError(cause: unknown): never {
  throw toRampError(cause, 'ERR_SIGNER', 'The signer failed; see the cause.');
}
