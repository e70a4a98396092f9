import type { CheckoutProposal, SignedCheckout } from '../../../src/index.js';
import { buildWidgetPayload, parseWidgetParams } from '../../../src/protocol/index.js';
import { demoPartner } from './demoPartner.js';
import { demoPolicy } from './demoPolicy.js';
import { hmacSha256 } from './hmacSha256.js';

let count = 0;

/**
 * Signs the proposal of a page with a new timestamp and nonce, as a partner's backend does.
 *
 * @param reference - The reference of a checkout that continues in a new window. A new reference by default.
 * @throws RampError `ERR_PARAMS_INVALID` with issues
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
