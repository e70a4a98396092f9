import type { Context as HonoContext } from 'hono';
import { createConfigError, RampError } from '../../protocol/errors/RampError.js';
import { isPromise } from '../internal/options.js';
import type { RampEnv } from './createRampApp.js';
import type { HandlerSettings } from './options.js';
import type { Shopper } from './shopper.js';

/**
 * Calls `getShopper` for a request.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when its result is neither an object with an id nor absent.
 * @throws the errors of `getShopper`.
 */
export async function findShopper<Context>(
  c: HonoContext<RampEnv<Context>>,
  { getShopper }: Pick<HandlerSettings<Context>, 'getShopper'>,
): Promise<Shopper | undefined> {
  const shopper = await getShopper({ request: c.req.raw, context: c.env.context });
  if (shopper == null) return undefined;
  const issue = findIssue(shopper);
  if (issue) throw createConfigError('getShopper', `${issue}.`);
  return shopper;
}

function findIssue(shopper: unknown): string | undefined {
  if (typeof shopper === 'string')
    return 'returned text: it must return an object with the id, such as { id: userId }, or undefined';
  const { id } = Object(shopper) as { id?: unknown };
  if (isPromise(id)) return 'returned an id that is a Promise: await it';
  if (typeof id === 'number' || typeof id === 'bigint')
    return `returned an id that is a ${typeof id}: it must be text, such as String(user.id)`;
  if (typeof id !== 'string' || id === '')
    return 'returned an object without an id: return the user or session with its id as text, or undefined if nobody is signed in';
  return undefined;
}

/** @throws RampError `ERR_SIGNED_OUT` when no shopper is signed in. */
export async function requireShopper<Context>(
  c: HonoContext<RampEnv<Context>>,
  settings: Pick<HandlerSettings<Context>, 'getShopper'>,
): Promise<Shopper> {
  const shopper = await findShopper(c, settings);
  if (!shopper) throw new RampError('ERR_SIGNED_OUT', 'Sign in to buy.');
  return shopper;
}
