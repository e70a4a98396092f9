import type { CheckoutProposal, SignedCheckout } from '../src/index.js';
import { buildWidgetPayload, parseWidgetParams } from '../src/protocol/index.js';
import { demoPartner } from './demoPartner.js';
import { demoPolicy } from './demoPolicy.js';
import { hmacSha256 } from './hmacSha256.js';

let count = 0;

/**
 * Signs what a page proposes with a new timestamp and nonce, as a partner's backend does.
 *
 * @param reference - By default a new one. Pass the reference of an earlier checkout to continue that checkout.
 * @throws RampError `ERR_PARAMS_INVALID` with an issue for each invalid parameter
 */
export async function signCheckout(
  { widget, params }: CheckoutProposal,
  reference = `story-${++count}`,
): Promise<SignedCheckout> {
  const { partnerId, secretKey } = demoPartner;
  const proposal = { widget, params: parseWidgetParams(widget, params, 'proposal') };
  const granted = parseWidgetParams(widget, demoPolicy(proposal, reference));
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  const unsigned: Record<string, string> = {
    ...(granted as Record<string, string>),
    partnerId,
    timestamp: `${Math.floor(Date.now() / 1000)}`,
    nonce: `${100_000 + (random % 900_000)}`,
  };
  const signature = await hmacSha256(buildWidgetPayload(widget, unsigned), secretKey);
  return { reference, params: { ...unsigned, signature }, expiresInSeconds: 240 };
}
