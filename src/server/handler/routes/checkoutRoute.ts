import type { Hono, MiddlewareHandler } from 'hono';
import { createParamsError } from '../../../protocol/errors/createParamsError.js';
import { isRampError } from '../../../protocol/errors/isRampError.js';
import { RampError } from '../../../protocol/errors/RampError.js';
import type { ParamsFor } from '../../../protocol/widget/OnRampParams.js';
import { RequestError } from '../../internal/httpErrors.js';
import type { OrderStore } from '../../orders/OrderStore.js';
import type { HandlerTracker } from '../../orders/tracker/OrderTracker.js';
import type { SignedWidget, WidgetSigner } from '../../signing/createWidgetSigner.js';
import type { CheckoutPolicy, CheckoutRequest } from '../CheckoutPolicy.js';
import type { GetSubject } from '../GetSubject.js';
import { grantCheckout } from '../grantCheckout.js';
import { readProposal } from '../readProposal.js';

/** What the routes of the handler share. */
export interface CheckoutRouteOptions<Context> {
  readonly origins: ReadonlySet<string>;
  readonly policy: CheckoutPolicy<Context>;
  readonly signer: WidgetSigner;
  readonly store: OrderStore;
  readonly intentSeconds: number;
  readonly signatureSeconds: number;
  readonly now: () => number;
  readonly newReference: () => string;
  readonly tracker: HandlerTracker | undefined;
  readonly getSubject: GetSubject<Context> | 'anyone' | undefined;
}

/** The environment that the handler hands to its routes. */
export interface RampEnv<Context> {
  Bindings: { context: Context };
}

/** `POST /checkouts`: policy, intent, signature. */
export function checkoutRoute<Context>(
  app: Hono<RampEnv<Context>>,
  options: CheckoutRouteOptions<Context>,
): void {
  app.post('/checkouts', requireAllowedOrigin(options.origins), async (c) => {
    const proposed = await readProposal(c.req.raw);
    const asked = { ...proposed, request: c.req.raw, context: c.env.context };
    return c.json(await createCheckout(asked as CheckoutRequest<Context>, options), 201);
  });
  app.all('/checkouts', (c) => {
    c.header('Allow', 'POST');
    throw new RequestError(405, 'Ask for a checkout with POST.');
  });
}

async function createCheckout<Context>(
  asked: CheckoutRequest<Context>,
  { policy, signer, store, now, ...options }: CheckoutRouteOptions<Context>,
) {
  const { widget, proposal } = asked;
  const grant = await grantCheckout(policy, asked);
  const { subject, expectedAmount, expectedFiatCurrency, metadata } = grant;
  const { extraParams, extraSignedParams } = grant;
  const reference = parseReference(options.newReference());
  const given = { ...grant.params, ext: reference } as ParamsFor<typeof widget>;
  const sign = () => signer.sign(widget, given, { extraParams, extraSignedParams });
  const { params } = signGrant(sign);
  const createdAt = Math.floor(now() / 1000);
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
  // Where nobody can request its state, nothing shows that a checkout was opened.
  if (!options.getSubject) await store.markOpened(reference, createdAt);
  options.tracker?.checkoutGranted();
  return { reference, params, expiresInSeconds: options.signatureSeconds };
}

/**
 * What a policy grants may still lack a wallet or hold a bad value. The page may have proposed it,
 * so it hears the issues; an error with a cause is told to the backend too.
 */
export function signGrant(sign: () => SignedWidget): SignedWidget {
  try {
    return sign();
  } catch (cause) {
    if (!isRampError(cause)) throw cause;
    const { code, issues } = cause;
    const { message } = issues
      ? createParamsError(issues, "The checkout policy's params were")
      : cause;
    throw new RampError(code, message, { issues, cause });
  }
}

/** What the grant binds: timestamp, nonce and signature are new at each signing. */
export function omitSignature(params: Record<string, string>): Record<string, string> {
  const { signature: _, timestamp: __, nonce: ___, ...bound } = params;
  return bound;
}

function parseReference(reference: string): string {
  if (/^[A-Za-z0-9._-]{22,64}$/.test(reference)) return reference;
  throw new RampError(
    'ERR_CONFIG_INVALID',
    'newReference() must answer 22 to 64 of A-Z a-z 0-9 . _ -, random beyond guessing.',
  );
}

/** A page of ours: a foreign one would use the shopper's cookies. */
export function requireAllowedOrigin(origins: ReadonlySet<string>): MiddlewareHandler {
  return async (c, next) => {
    if (!origins.has(c.req.header('origin') ?? ''))
      throw new RequestError(
        403,
        'This origin may not ask for checkouts. If the page is yours, add it to allowedOrigins of the ramp handler, with its scheme and port; localhost and 127.0.0.1 are two origins.',
      );
    await next();
  };
}
