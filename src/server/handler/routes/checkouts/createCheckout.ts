import { createReference } from '../../../internal/createReference.js';
import { getSeconds } from '../../../internal/runtime.js';
import type { CheckoutRequest } from '../../CheckoutPolicy.js';
import type { HandlerSettings } from '../../HandlerSettings.js';
import { grantCheckout } from './grantCheckout.js';
import { omitSignature, signGrant } from './signGrant.js';

/** The settings of the handler that `createCheckout` uses. */
export type CreateCheckoutOptions<Context> = Pick<
  HandlerSettings<Context>,
  | 'policy'
  | 'signer'
  | 'store'
  | 'intentSeconds'
  | 'signatureSeconds'
  | 'runtime'
  | 'tracker'
  | 'getSubject'
>;

/**
 * Calls the policy, signs its grant and stores the intent.
 *
 * @throws RampError `ERR_POLICY_REFUSED`, `ERR_PARAMS_INVALID` with `issues`, `ERR_CONFIG_INVALID`, and
 * the errors of the store.
 */
export async function createCheckout<Context>(
  asked: CheckoutRequest<Context>,
  { policy, signer, store, runtime, ...options }: CreateCheckoutOptions<Context>,
) {
  const { widget, proposal } = asked;
  const grant = await grantCheckout(policy, asked);
  const { subject, expectedAmount, expectedFiatCurrency, metadata } = grant;
  const reference = createReference(runtime);
  const params = signGrant(signer, widget, { ...grant.params, ext: reference }, grant);
  const createdAt = getSeconds(runtime);
  await store.saveIntent({
    reference,
    widget,
    subject,
    params: omitSignature(params),
    // The policy is called with it again when the shopper continues this checkout in a new window.
    ...(Object.keys(proposal).length > 0 && { proposal }),
    ...(expectedAmount !== undefined && { expectedAmount }),
    ...(expectedFiatCurrency !== undefined && { expectedFiatCurrency }),
    ...(metadata !== undefined && { metadata }),
    createdAt,
    expiresAt: createdAt + options.intentSeconds,
  });
  // Without getSubject pages cannot request the state, so count the checkout as opened.
  if (!options.getSubject) await store.markOpened(reference, createdAt);
  options.tracker?.checkoutGranted();
  return { reference, params, expiresInSeconds: options.signatureSeconds };
}
