import { RampError } from '../../protocol/errors/RampError.js';
import type { SignedCheckout } from '../backend/createHttpSigner.js';
import { toRampError, withTimeout } from '../backend/responses.js';
import { premiumOnly } from '../params/parameterRules.js';
import type { CheckoutSession } from './CheckoutSession.js';
import type { Opening } from './Opening.js';

const TIMEOUT_MS = 20_000;
/** The longest wait for a rate limit. The shopper watches a button that is busy. */
const MAX_WAIT_SECONDS = 10;

/**
 * Waits for the signature of one opening, for 20 seconds at most. Returns `undefined` for a Basic Partner. If a
 * signer is configured, its signature is required. A response 429 is waited out once.
 *
 * @throws RampError `ERR_TIMEOUT`, `ERR_SIGNER`, `ERR_CONFIG_INVALID`, or the error of the signer.
 */
export async function awaitSignature(
  session: CheckoutSession,
  opening: Opening,
): Promise<SignedCheckout | undefined> {
  const { options } = opening;
  const signed = session.signatures.request(options);
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
  const received = await withTimeout(TIMEOUT_MS, 'The signer', undefined, () =>
    signed.catch((error) => requestAgain(error, session, opening)).catch(throwSignerError),
  );
  if (received?.params?.signature) return received;
  throw new RampError(
    'ERR_SIGNER',
    'The signer returned no signed parameters. It must return { params } with a signature.',
  );
}

/** Waits out a rate limit, which earlier prefetches or a shared address may have reached, and requests once more. */
async function requestAgain(
  error: unknown,
  session: CheckoutSession,
  opening: Opening,
): Promise<SignedCheckout> {
  const seconds = (error as RampError | undefined)?.retryAfterSeconds;
  if (!seconds) throw error;
  await new Promise((done) => setTimeout(done, Math.min(seconds, MAX_WAIT_SECONDS) * 1000));
  const again = session.opening === opening && session.signatures.request(opening.options);
  if (!again) throw error;
  return again;
}

function throwSignerError(cause: unknown): never {
  throw toRampError(cause, 'ERR_SIGNER', 'The signer failed; see the cause.');
}
