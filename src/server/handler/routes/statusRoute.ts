import type { Hono, Context as HonoContext } from 'hono';
import { isRampError } from '../../../protocol/errors/isRampError.js';
import { RampError } from '../../../protocol/errors/RampError.js';
import { RequestError } from '../../internal/httpErrors.js';
import type { CheckoutRecord, CheckoutStore } from '../../orders/store/CheckoutStore.js';
import type { GetSubject } from '../GetSubject.js';
import { isReference } from '../isReference.js';
import { toCheckoutResponse } from '../toCheckoutResponse.js';
import type { RampEnv } from './checkoutRoute.js';

export interface StatusRouteOptions<Context> {
  readonly getSubject: GetSubject<Context> | 'anyone' | undefined;
  readonly store: Pick<CheckoutStore, 'findCheckout' | 'markOpened'>;
  readonly now: () => number;
}

/** `GET /checkouts/:reference`: how far a checkout is, for whom it was granted to. */
export function statusRoute<Context>(
  app: Hono<RampEnv<Context>>,
  options: StatusRouteOptions<Context>,
): void {
  app.get('/checkouts/:reference', async (c) => {
    const checkout = await findOwnCheckout(c, options);
    return c.json(toCheckoutResponse(checkout, Math.floor(options.now() / 1000)));
  });
  app.all('/checkouts/:reference', (c) => {
    // A page whose `api` ends in the route's own name.
    if (c.req.param('reference') === 'checkouts') return c.notFound();
    c.header('Allow', 'GET');
    throw new RequestError(405, 'Ask for the state of a checkout with GET.');
  });
}

export const createNotFoundError = () => new RequestError(404, 'There is no such checkout.');

/**
 * The checkout that is asked for. One of somebody else is not told apart from one that never was: the
 * reference travels in the widget's address, so who knows it need not be who it is for.
 */
export async function findOwnCheckout<Context>(
  c: HonoContext<RampEnv<Context>>,
  { getSubject, store, now }: StatusRouteOptions<Context>,
): Promise<CheckoutRecord> {
  if (!getSubject)
    throw new RequestError(
      404,
      'createRampHandler has no getSubject, so it does not report the state of checkouts. Pass getSubject, which returns the same id of the caller as the subject of your policy.',
    );
  const reference = c.req.param('reference') ?? '';
  const asked = { request: c.req.raw, context: c.env.context };
  let subject: string | undefined;
  let checkout: CheckoutRecord | undefined;
  try {
    if (getSubject !== 'anyone') subject = parseSubject(await getSubject(asked));
    if (isReference(reference)) checkout = await store.findCheckout(reference);
  } catch (cause) {
    if (isRampError(cause)) throw cause;
    // Not that nothing was charged, as elsewhere: who asks may have paid.
    const message = 'How far the checkout is could not be read. Ask again in a moment.';
    throw new RampError('ERR_SIGNER', message, { cause });
  }
  const isOwn = getSubject === 'anyone' || (subject && subject === checkout?.intent.subject);
  if (!checkout || !isOwn) throw createNotFoundError();
  // A checkout whose state is requested was opened. It stays readable when that cannot be recorded.
  if (checkout.openedAt === undefined)
    await store.markOpened(reference, Math.floor(now() / 1000)).catch(() => {});
  return checkout;
}

/** A number would equal no subject, and every checkout would be a 404. @throws RampError */
function parseSubject(subject: unknown): string | undefined {
  if (subject == null || typeof subject === 'string') return subject ?? undefined;
  throw new RampError(
    'ERR_CONFIG_INVALID',
    `getSubject returned a ${typeof subject}: it must return text, such as String(user.id), or undefined.`,
  );
}
