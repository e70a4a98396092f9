import type { Context as HonoContext } from 'hono';
import { isRampError, RampError } from '../../protocol/errors/RampError.js';
import { isReference } from '../internal/createReference.js';
import { RequestError } from '../internal/RequestError.js';
import { getSeconds } from '../internal/runtime.js';
import type { CheckoutRecord } from '../orders/store/OrderStore.js';
import type { HandlerSettings } from './HandlerSettings.js';
import { parseSubject } from './parseSubject.js';
import type { RampEnv } from './RampEnv.js';

/** The settings of the handler that `findOwnCheckout` uses. */
export type FindCheckoutOptions<Context> = Pick<
  HandlerSettings<Context>,
  'getSubject' | 'store' | 'runtime'
>;

/** Creates the 404 error for a checkout that does not exist, or that the caller may not see. */
export const createNotFoundError = () => new RequestError(404, 'Checkout not found.');

/**
 * Finds the checkout that a request names, if it belongs to the caller. The checkout of another subject
 * gets the same 404 as a missing checkout: the reference is part of the widget's URL, so it does not
 * identify the shopper.
 *
 * @throws RequestError 404 when the checkout is missing or belongs to another subject.
 * @throws RampError `ERR_INTERNAL` when the store or `getSubject` fails.
 */
export async function findOwnCheckout<Context>(
  c: HonoContext<RampEnv<Context>>,
  { getSubject, store, runtime }: FindCheckoutOptions<Context>,
): Promise<CheckoutRecord> {
  if (!getSubject)
    throw new RequestError(
      404,
      'createRampHandler has no getSubject, so it does not report the state of checkouts. Pass getSubject: a function that returns the id of the caller, the same as the subject of your policy.',
    );
  const reference = c.req.param('reference') ?? '';
  const asked = { request: c.req.raw, context: c.env.context };
  let subject: string | undefined;
  let checkout: CheckoutRecord | undefined;
  try {
    if (getSubject !== 'anyone') subject = parseSubject(await getSubject(asked));
    const mayOwn = getSubject === 'anyone' || subject;
    // The store compares the subject before it reads orders: the duration of a 404 must not depend on them.
    if (mayOwn && isReference(reference))
      checkout = await store.findCheckout(reference, { subject });
  } catch (cause) {
    if (isRampError(cause)) throw cause;
    const message = 'The state of the checkout could not be read. Try again in a moment.';
    throw new RampError('ERR_INTERNAL', message, { cause });
  }
  const isOwn = getSubject === 'anyone' || (subject && subject === checkout?.intent.subject);
  if (!checkout || !isOwn) throw createNotFoundError();
  // A checkout whose state is requested was opened. It stays readable even if that cannot be recorded.
  if (checkout.openedAt === undefined)
    await store.markOpened(reference, getSeconds(runtime)).catch(() => {});
  return checkout;
}
