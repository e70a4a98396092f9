import type { Handler, Context as HonoContext } from 'hono';
import { RampError } from '../../protocol/errors/RampError.js';
import { getWidgetParameters } from '../../protocol/widget/widgetParameters.js';
import { trace, type Update } from '../diagnostics.js';
import { toErrorResponse } from '../internal/errorResponses.js';
import { sendJson } from '../internal/jsonResponse.js';
import { getSeconds } from '../internal/runtime.js';
import type { Checkout, CheckoutRecord } from '../orders/store/OrderStore.js';
import type { RampEnv } from './createRampApp.js';
import type { HandlerSettings } from './options.js';
import { createOrderCheck } from './orderCheck.js';
import { grantCheckout, omitSignature, type ReceivedRequest, signGrant } from './policy.js';
import { createNotFoundError, findOwnCheckout, toCheckoutResponse } from './status.js';

/** After how many seconds the page tries again if the order list could not be read. */
const RETRY_AFTER = '2';

/**
 * Creates `POST /checkouts/:reference/continue`: signs the same checkout again, so that the shopper can continue in a
 * new window. A checkout that has an order is never signed again, so the route first reads the newest part of the order
 * list. The route refuses with
 *
 * - 404, if the checkout is not the caller's;
 * - 409 and the checkout's state, if the checkout has an order or a webhook has announced one;
 * - 503, if the order list cannot be read;
 * - 410, if the checkout has expired, or the policy now grants other terms;
 * - 403, if the policy refuses.
 */
export function createContinueRoute<Context>(
  settings: HandlerSettings<Context>,
): Handler<RampEnv<Context>> {
  const { store, runtime } = settings;
  const checkOrders = createOrderCheck(settings);
  const continueCheckout = async (
    c: HonoContext<RampEnv<Context>>,
    update: Update<'partner-ramp:checkout'>,
  ) => {
    const { checkout: known, shopper } = await findOwnCheckout(c, settings);
    update({ widget: known.widget, reference: known.reference });
    await settings.claimPartner();
    const respondPaid = (checkout: CheckoutRecord) => {
      const error = new RampError(
        'ERR_ORDER_EXISTS',
        'This checkout already has an order, so it is not signed again.',
      );
      const state = toCheckoutResponse(checkout, settings);
      update({ outcome: 'paid' });
      return sendJson(c, { ...toErrorResponse(error).body, ...state }, 409);
    };
    const requireOpen = (checkout: CheckoutRecord) => {
      // The checkout must not expire before the signature does.
      const isExpired =
        checkout.outcome === 'expired' ||
        known.expiresAt <= getSeconds(runtime) + settings.signatureSeconds;
      if (isExpired) throw createExpiredError('This checkout has expired.');
    };
    const readCheckout = async () => {
      const checkout = await store.findCheckout(known.reference);
      if (!checkout) throw createNotFoundError();
      return checkout;
    };
    if (mayBePaid(known)) return respondPaid(known);
    // An expired checkout is not signed again whatever the list says, so check this before reading the list.
    requireOpen(known);
    const failure = await checkOrders(known).then(
      () => undefined,
      (error: unknown) => error,
    );
    const checkout = await readCheckout();
    if (mayBePaid(checkout)) return respondPaid(checkout);
    if (failure) {
      c.header('Retry-After', RETRY_AFTER);
      throw failure;
    }
    requireOpen(checkout);
    const { widget, reference, proposal = {}, selection = {} } = known;
    const caller = {
      shopper,
      request: c.req.raw,
      context: c.env.context,
      continues: toTerms(known),
    };
    const request = { ...caller, widget, proposal, selection };
    const params = await signContinuation(request, known, settings);
    // An order may have been recorded while the policy ran.
    const latest = await readCheckout();
    if (mayBePaid(latest)) return respondPaid(latest);
    settings.tracker.checkoutGranted();
    update({ outcome: 'signed' });
    return sendJson(c, {
      reference,
      params,
      expiresInSeconds: settings.signatureSeconds,
      // A page on another device does not know what was selected, and would offer coins that the wallet cannot receive.
      ...(known.selection && { selection: known.selection }),
    });
  };
  return (c) =>
    trace('partner-ramp:checkout', runtime, { continues: true }, (update) =>
      continueCheckout(c, update),
    );
}

/** Returns whether a checkout has an order, even a quarantined one, or a webhook has announced one. */
const mayBePaid = ({ orders, outcome, announcedAt }: CheckoutRecord): boolean =>
  orders.length > 0 || outcome === 'unconfirmed' || announcedAt !== undefined;

/** Strips a checkout's record down to its terms. */
const toTerms = ({
  orders: _,
  outcome: __,
  openedAt: ___,
  announcedAt: ____,
  ...terms
}: CheckoutRecord): Checkout => terms;

/**
 * Calls the policy again, because it may now refuse. Returns signed parameters only if the grant's terms are still the
 * same. Extra parameters may differ and come from the new grant, because one of them may be a signed deadline.
 */
async function signContinuation<Context>(
  request: ReceivedRequest<Context>,
  checkout: Checkout,
  settings: HandlerSettings<Context>,
): Promise<Record<string, string>> {
  const { widget, reference, expectedAmount, expectedFiatCurrency } = checkout;
  const { merchantOrderNo } = checkout.params;
  const grant = await grantCheckout(settings.policy, request, settings.chains);
  const kept = merchantOrderNo === undefined ? {} : { merchantOrderNo };
  const params = await signGrant(
    settings,
    widget,
    { ...grant.params, ...kept, ext: reference },
    grant,
  );
  const terms = omitSignature(params);
  const isSame =
    getWidgetParameters(widget).every(({ name }) => terms[name] === checkout.params[name]) &&
    grant.expectedAmount === expectedAmount &&
    grant.expectedFiatCurrency === expectedFiatCurrency;
  if (!isSame) throw createExpiredError('The terms of this checkout have changed.');
  return params;
}

const createExpiredError = (why: string) =>
  new RampError('ERR_CHECKOUT_EXPIRED', `${why} Open a new one with POST /checkouts.`);
