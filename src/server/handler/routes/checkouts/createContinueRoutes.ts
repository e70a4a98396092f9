import { Hono } from 'hono';
import { RampError } from '../../../../protocol/errors/RampError.js';
import { getWidgetParameters } from '../../../../protocol/widget/getWidgetParameters.js';
import { RequestError } from '../../../internal/RequestError.js';
import { toErrorResponse } from '../../../internal/toErrorResponse.js';
import type { CheckoutIntent, CheckoutRecord } from '../../../orders/store/CheckoutStore.js';
import type { CheckoutRequest } from '../../CheckoutPolicy.js';
import { createNotFoundError, findOwnCheckout } from '../../findOwnCheckout.js';
import type { HandlerSettings } from '../../HandlerSettings.js';
import type { RampEnv } from '../../RampEnv.js';
import { toCheckoutResponse } from '../../toCheckoutResponse.js';
import { grantCheckout } from './grantCheckout.js';
import { requireAllowedOrigin } from './requireAllowedOrigin.js';
import { omitSignature, signGrant } from './signGrant.js';
import { waitForSync } from './waitForSync.js';

/** The settings of the handler that this route uses. */
export type ContinueRouteOptions<Context> = Pick<
  HandlerSettings<Context>,
  | 'origins'
  | 'policy'
  | 'signer'
  | 'store'
  | 'signatureSeconds'
  | 'now'
  | 'tracker'
  | 'getSubject'
  | 'onError'
>;

/**
 * Creates `POST /checkouts/:reference/continue`: signs the same checkout again, so that the shopper can
 * continue in a new window. It never signs a checkout that has an order: it syncs the order list first, and
 * responds 409 with the state if an order exists. It responds 410 when the checkout has expired, or when the
 * policy no longer returns its first grant.
 */
export function createContinueRoutes<Context>(
  options: ContinueRouteOptions<Context>,
): Hono<RampEnv<Context>> {
  const app = new Hono<RampEnv<Context>>();
  const { store, now } = options;
  const getSeconds = () => Math.floor(now() / 1000);
  app.post('/checkouts/:reference/continue', requireAllowedOrigin(options.origins), async (c) => {
    const { intent } = await findOwnCheckout(c, options);
    await waitForSync(options);
    const checkout = await store.findCheckout(intent.reference);
    if (!checkout) throw createNotFoundError();
    if (hasOrder(checkout)) {
      const error = new RampError(
        'ERR_ORDER_EXISTS',
        'This checkout already has an order, so it is not signed again.',
      );
      return c.json(
        { ...toErrorResponse(error).body, ...toCheckoutResponse(checkout, getSeconds()) },
        409,
      );
    }
    // The checkout must not expire before the signature does.
    if (
      checkout.outcome === 'expired' ||
      intent.expiresAt <= getSeconds() + options.signatureSeconds
    )
      throw createExpiredError('This checkout has expired.');
    const asked = { request: c.req.raw, context: c.env.context, continues: intent };
    const { widget, proposal = {} } = intent;
    const request = { ...asked, widget, proposal } as CheckoutRequest<Context>;
    const params = await signContinuation(request, intent, options);
    options.tracker?.checkoutGranted();
    const { reference } = intent;
    return c.json({ reference, params, expiresInSeconds: options.signatureSeconds });
  });
  app.all('/checkouts/:reference/continue', (c) => {
    c.header('Allow', 'POST');
    throw new RequestError(405, 'Continue a checkout with POST.');
  });
  return app;
}

/** Returns whether a checkout has an order. Quarantined orders count, and announced orders that are not listed yet. */
const hasOrder = ({ orders, outcome }: CheckoutRecord): boolean =>
  orders.length > 0 || outcome === 'unconfirmed';

/**
 * Calls the policy again, because it may refuse by now, and signs if it returns its first grant. Extra
 * parameters are taken from the new grant: some services sign a deadline.
 */
async function signContinuation<Context>(
  request: CheckoutRequest<Context>,
  intent: CheckoutIntent,
  { policy, signer }: ContinueRouteOptions<Context>,
): Promise<Record<string, string>> {
  const { widget, reference, expectedAmount, expectedFiatCurrency } = intent;
  const { merchantOrderNo } = intent.params;
  const grant = await grantCheckout(policy, request);
  if (grant.subject !== intent.subject) throw createNotFoundError();
  const kept = merchantOrderNo === undefined ? {} : { merchantOrderNo };
  const params = signGrant(signer, widget, { ...grant.params, ...kept, ext: reference }, grant);
  const bound = omitSignature(params);
  const isSame =
    getWidgetParameters(widget).every(({ name }) => bound[name] === intent.params[name]) &&
    grant.expectedAmount === expectedAmount &&
    grant.expectedFiatCurrency === expectedFiatCurrency;
  if (!isSame) throw createExpiredError('The terms of this checkout have changed.');
  return params;
}

const createExpiredError = (why: string) =>
  new RampError('ERR_CHECKOUT_EXPIRED', `${why} Open a new one with POST /checkouts.`);
