import type { Hono, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import * as z from 'zod/mini';
import { paramsError, parseWidgetParams } from '../protocol/widget-schemas.js';
import type { CheckoutPolicy, CheckoutRequest } from './CheckoutPolicy.js';
import type { WidgetSigner } from './createWidgetSigner.js';
import { grantCheckout } from './grantCheckout.js';
import { RequestRefused } from './http-errors.js';
import type { OrderStore } from './OrderStore.js';

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
}

/** The environment that the handler hands to its routes. */
export interface RampEnv<Context> {
  Bindings: { context: Context };
}

const MAX_BODY_BYTES = 16 * 1024;

/** `POST /checkouts`: policy, intent, signature. */
export function checkoutRoute<Context>(
  app: Hono<RampEnv<Context>>,
  options: CheckoutRouteOptions<Context>,
): void {
  app.post(
    '/checkouts',
    onlyJsonFrom(options.origins),
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => {
        throw new RequestRefused(413, `The body is larger than ${MAX_BODY_BYTES / 1024} KB.`);
      },
    }),
    async (c) => {
      const proposed = await readProposal(c.req.raw);
      const asked = { ...proposed, request: c.req.raw, context: c.env.context };
      return c.json(await prepareCheckout(asked as CheckoutRequest<Context>, options), 201);
    },
  );
  app.all('/checkouts', (c) => {
    c.header('Allow', 'POST');
    throw new RequestRefused(405, 'Ask for a checkout with POST.');
  });
}

async function prepareCheckout<Context>(
  asked: CheckoutRequest<Context>,
  { policy, signer, store, now, ...options }: CheckoutRouteOptions<Context>,
) {
  const { widget } = asked;
  const {
    params: granted,
    subject,
    expectedAmount,
    metadata,
    ...extras
  } = await grantCheckout(policy, asked);
  const reference = options.newReference();
  const { params } = signer.sign(widget, { ...granted, ext: reference } as never, extras);
  const createdAt = Math.floor(now() / 1000);
  const { signature: _, timestamp: __, nonce: ___, ...bound } = params;
  await store.saveIntent({
    reference,
    widget,
    subject,
    params: bound,
    ...(expectedAmount !== undefined && { expectedAmount }),
    ...(metadata !== undefined && { metadata }),
    createdAt,
    expiresAt: createdAt + options.intentSeconds,
  });
  return { reference, params, expiresInSeconds: options.signatureSeconds };
}

/** A page of ours, and JSON: what a form or a foreign page can send without asking is neither. */
function onlyJsonFrom(origins: ReadonlySet<string>): MiddlewareHandler {
  return async (c, next) => {
    if (!origins.has(c.req.header('origin') ?? ''))
      throw new RequestRefused(
        403,
        'This origin may not ask for checkouts. Add it to allowedOrigins of the ramp handler if the page is yours.',
      );
    if (!/^application\/json *(;|$)/i.test(c.req.header('content-type') ?? ''))
      throw new RequestRefused(415, 'Send the proposal as application/json.');
    await next();
  };
}

const envelope = z.strictObject({
  widget: z.enum(['on-ramp', 'nft'], { error: "must be 'on-ramp' or 'nft'" }),
  params: z.optional(z.unknown()),
});

async function readProposal(request: Request) {
  let body: unknown;
  try {
    body = JSON.parse(await request.text());
  } catch {
    throw new RequestRefused(400, 'The body is not JSON.');
  }
  const result = envelope.safeParse(body);
  if (!result.success)
    throw paramsError(
      result.error.issues.map((issue) => ({
        param: String(issue.path[0] ?? ''),
        message: issue.path[0] ? issue.message : 'must be { widget, params }',
      })),
    );
  const { widget, params = {} } = result.data;
  const proposal = parseWidgetParams(widget, params, 'proposal');
  if (proposal.ext !== undefined)
    throw paramsError([
      {
        param: 'ext',
        message:
          'carries the checkout reference and is set by the backend: keep your own data in the metadata that the policy answers',
      },
    ]);
  return { widget, proposal };
}
