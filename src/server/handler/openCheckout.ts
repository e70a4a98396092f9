import { Hono } from 'hono';
import { createReference } from '../internal/createReference.js';
import { RequestError } from '../internal/errorResponses.js';
import { sendJson } from '../internal/jsonResponse.js';
import { getSeconds } from '../internal/runtime.js';
import type { RampEnv } from './createRampApp.js';
import type { HandlerSettings } from './options.js';
import { requireAllowedOrigin } from './origins.js';
import {
  type CheckoutRequest,
  grantCheckout,
  omitSignature,
  readProposal,
  signGrant,
} from './policy.js';

/** Creates `POST /checkouts`: calls the policy, signs its grant and stores the intent. */
export function createCheckoutRoutes<Context>(
  settings: HandlerSettings<Context>,
): Hono<RampEnv<Context>> {
  const app = new Hono<RampEnv<Context>>();
  app.post('/checkouts', requireAllowedOrigin(settings.origins), async (c) => {
    const proposed = await readProposal(c.req.raw);
    const request = { ...proposed, request: c.req.raw, context: c.env.context };
    return sendJson(c, await openCheckout(request as CheckoutRequest<Context>, settings), 201);
  });
  app.all('/checkouts', (c) => {
    c.header('Allow', 'GET, POST');
    throw new RequestError(405, 'Open a checkout with POST, or list checkouts with GET.');
  });
  return app;
}

/**
 * @throws RampError `ERR_POLICY_REFUSED`, `ERR_PARAMS_INVALID` with `issues`, `ERR_CONFIG_INVALID`, and
 * the errors of the store.
 */
async function openCheckout<Context>(
  request: CheckoutRequest<Context>,
  settings: HandlerSettings<Context>,
) {
  const { signer, store, runtime } = settings;
  const { widget, proposal } = request;
  const grant = await grantCheckout(settings.policy, request);
  const { subject, expectedAmount, expectedFiatCurrency, metadata } = grant;
  const reference = createReference(runtime);
  const params = signGrant(signer, widget, { ...grant.params, ext: reference }, grant);
  const createdAt = getSeconds(runtime);
  await store.saveIntent({
    reference,
    widget,
    subject,
    params: omitSignature(params),
    // The policy is called with the same proposal again when the shopper continues this checkout in a new window.
    ...(Object.keys(proposal).length > 0 && { proposal }),
    ...(expectedAmount !== undefined && { expectedAmount }),
    ...(expectedFiatCurrency !== undefined && { expectedFiatCurrency }),
    ...(metadata !== undefined && { metadata }),
    createdAt,
    expiresAt: createdAt + settings.intentSeconds,
  });
  // Without getSubject, pages cannot request the state, so mark the checkout as opened now.
  if (!settings.getSubject) await store.markOpened(reference, createdAt);
  settings.tracker?.checkoutGranted();
  return {
    reference,
    params,
    expiresInSeconds: settings.signatureSeconds,
    ...(typeof settings.getSubject === 'function' && { isListed: true }),
  };
}
