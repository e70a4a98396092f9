import type { Handler } from 'hono';
import { compareDecimals } from '../../protocol/decimals.js';
import { createConfigError } from '../../protocol/errors/RampError.js';
import type { CheckoutSelection } from '../../protocol/handler/selection.js';
import { trace, type Update } from '../diagnostics.js';
import { sendJson } from '../internal/jsonResponse.js';
import { createReference } from '../internal/reference.js';
import { getSeconds } from '../internal/runtime.js';
import { createBackgroundWork } from './backgroundWork.js';
import type { RampEnv } from './createRampApp.js';
import { requireShopper } from './findShopper.js';
import type { HandlerSettings } from './options.js';
import {
  type CheckoutGrant,
  grantCheckout,
  omitSignature,
  type ReceivedRequest,
  readProposal,
  signGrant,
} from './policy.js';

/** Creates `POST /checkouts`: calls the policy, signs its grant and stores the checkout. */
export function createOpenRoute<Context>(
  settings: HandlerSettings<Context>,
): Handler<RampEnv<Context>> {
  const { tracker, waitUntil, runtime, progress } = settings;
  const runAfterResponse = createBackgroundWork(settings);
  return async (c) => {
    const open = async (update: Update<'partner-ramp:checkout'>) => {
      const proposed = await progress.waitForBody(() => readProposal(c.req.raw));
      update({ widget: proposed.widget });
      const shopper = await requireShopper(c, settings);
      const request = { ...proposed, shopper, request: c.req.raw, context: c.env.context };
      const opened = await openCheckout(request, settings);
      update({ outcome: 'signed', reference: opened.reference });
      return opened;
    };
    const opened = await trace('partner-ramp:checkout', runtime, { continues: false }, open);
    // Nothing runs by itself in a process that lives for one request, so use this request to find the orders of earlier
    // checkouts.
    if (waitUntil) await runAfterResponse(c, tracker.syncForCheckout);
    return sendJson(c, opened, 201);
  };
}

/**
 * @throws RampError `ERR_POLICY_REFUSED`, `ERR_PARAMS_INVALID` with `issues`, `ERR_CONFIG_INVALID`, and the errors of
 * the store.
 */
async function openCheckout<Context>(
  request: ReceivedRequest<Context>,
  settings: HandlerSettings<Context>,
) {
  const { store, runtime } = settings;
  const { widget, proposal, selection, shopper } = request;
  settings.countRequest(shopper.id);
  const grant = await grantCheckout(settings.policy, request, settings.chains);
  reportDefaultAmount(grant, selection, settings);
  const { expectedAmount, expectedFiatCurrency, metadata } = grant;
  const reference = createReference(runtime);
  const params = await signGrant(settings, widget, { ...grant.params, ext: reference }, grant);
  await settings.claimPartner();
  const createdAt = getSeconds(runtime);
  await store.saveCheckout({
    reference,
    widget,
    subject: shopper.id,
    params: omitSignature(params),
    // The policy receives both again when the shopper continues this checkout in a new window.
    ...(Object.keys(proposal).length > 0 && { proposal }),
    ...(Object.keys(selection).length > 0 && { selection }),
    ...(expectedAmount !== undefined && { expectedAmount }),
    ...(expectedFiatCurrency !== undefined && { expectedFiatCurrency }),
    ...(metadata !== undefined && { metadata }),
    createdAt,
    expiresAt: createdAt + settings.checkoutSeconds,
  });
  settings.tracker.checkoutGranted();
  return {
    reference,
    params,
    expiresInSeconds: settings.signatureSeconds,
    isListed: true,
  };
}

/**
 * Reports once in each process that the policy expects the page's default amount. The checkout is not refused, because
 * the shop may expect its own price, which the page happens to show as the default.
 */
function reportDefaultAmount<Context>(
  { expectedAmount }: CheckoutGrant,
  { amount, amountFixed }: CheckoutSelection,
  { runtime, onError }: HandlerSettings<Context>,
): void {
  if (expectedAmount === undefined || amount === undefined || amountFixed !== undefined) return;
  if (compareDecimals(expectedAmount, String(amount)) !== 0) return;
  const message =
    'expects the amount that the page only starts with, so the order of a shopper who changes it in the widget will be quarantined. Pass amountFixed to the button instead of amount, or return no expectedAmount.';
  if (process.env.NODE_ENV !== 'production') runtime.warnOnce(`The checkout policy ${message}`);
  else if (runtime.isFirst(message)) onError(createConfigError('The checkout policy', message));
}
