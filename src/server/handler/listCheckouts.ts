import type { Handler, Context as HonoContext } from 'hono';
import { createParamsError } from '../../protocol/errors/RampError.js';
import type { CheckoutsResponse } from '../../protocol/handler/CheckoutResponse.js';
import { parseQuery } from '../../protocol/query.js';
import { RequestError } from '../internal/errorResponses.js';
import { sendTaggedJson } from '../internal/jsonResponse.js';
import { isReference } from '../internal/reference.js';
import type { CheckoutCursor } from '../orders/store/OrderStore.js';
import type { RampEnv } from './createRampApp.js';
import { findShopper } from './findShopper.js';
import type { HandlerSettings } from './options.js';
import { findPollSeconds } from './pollInterval.js';
import { toCheckoutResponse, withReadError } from './status.js';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 50;
const MAX_REFERENCES = 50;

/**
 * Creates `GET /checkouts`, which a page polls for everything that it watches: the states of the checkouts that it
 * names, and the caller's newest opened checkouts. The route changes nothing.
 *
 * A named checkout that is unknown, was erased or belongs to another subject is left out, so that a stranger who knows
 * a reference learns nothing from the response.
 */
export function createListRoute<Context>(
  settings: HandlerSettings<Context>,
): Handler<RampEnv<Context>> {
  return async (c) => {
    const query = parseCheckoutsQuery(new URL(c.req.url).search);
    const response = await withReadError('The checkouts', () => readPoll(c, settings, query));
    return sendTaggedJson(c, response);
  };
}

interface CheckoutsParameters {
  readonly references: readonly string[] | undefined;
  readonly cursor: string | undefined;
  readonly limit: number;
}

/** @throws RampError `ERR_PARAMS_INVALID` for an unknown, repeated or malformed parameter. */
function parseCheckoutsQuery(search: string): CheckoutsParameters {
  const { references, cursor, limit, ...unknown } = parseQuery(search);
  const issues = Object.keys(unknown).map((param) => ({
    param,
    message: 'is not a parameter of this route',
  }));
  const named = references === undefined ? undefined : [...new Set(references.split(','))];
  const byDefault = named ? 0 : DEFAULT_LIMIT;
  const count = limit === undefined ? byDefault : Number(limit);
  if (limit !== undefined && (!/^(0|[1-9]\d?)$/.test(limit) || count > MAX_LIMIT))
    issues.push({ param: 'limit', message: `must be a whole number from 0 to ${MAX_LIMIT}` });
  if (named && named.length > MAX_REFERENCES)
    issues.push({ param: 'references', message: `may have at most ${MAX_REFERENCES} references` });
  if (cursor !== undefined && count === 0)
    issues.push({ param: 'cursor', message: 'needs a limit above 0' });
  if (issues.length > 0) throw createParamsError(issues, 'The query was');
  return { references: named, cursor, limit: count };
}

/**
 * Reads the checkouts that a page watches.
 *
 * @throws RequestError `ERR_RATE_LIMITED` when the caller sends too many requests, `ERR_REQUEST` for a malformed
 * cursor.
 */
async function readPoll<Context>(
  c: HonoContext<RampEnv<Context>>,
  settings: HandlerSettings<Context>,
  { references, cursor, limit }: CheckoutsParameters,
): Promise<CheckoutsResponse> {
  const { store, countRequest, countPoll } = settings;
  const subject = (await findShopper(c, settings))?.id;
  if (subject === undefined)
    return {
      checkouts: [],
      ...(references && { named: [] }),
      pollAfterSeconds: findPollSeconds(0),
    };
  countRequest(subject);
  const before = cursor === undefined ? undefined : await findCursor(store, subject, cursor);
  const valid = references?.filter(isReference);
  const { newest, named } = await store.listCheckouts({
    subject,
    ...(valid && { references: valid }),
    ...(before && { before }),
    // Request one more than the page holds, to learn whether there is another page.
    limit: limit > 0 ? limit + 1 : 0,
  });
  // A partner's own store may not compare the subject, so compare it here.
  const own = newest.filter((checkout) => checkout.subject === subject);
  const page = own.slice(0, limit);
  const last = page.at(-1);
  const isNamed = new Set(valid);
  const states = named
    .filter(({ reference }) => isNamed.has(reference))
    .filter((checkout) => checkout.subject === subject)
    .map((checkout) => toCheckoutResponse(checkout, settings));
  return {
    checkouts: page.map((checkout) => ({
      ...toCheckoutResponse(checkout, settings),
      createdAt: checkout.createdAt,
    })),
    ...(references && { named: states }),
    ...(last && own.length > limit && { nextCursor: encodeCursor(last) }),
    pollAfterSeconds: countPoll(subject),
  };
}

const encodeCursor = ({ createdAt, reference }: CheckoutCursor): string =>
  Buffer.from(`${createdAt}.${reference}`).toString('base64url');

/** A valid reference that belongs to no checkout, because real references are longer. */
const NO_REFERENCE = 'none';

/**
 * Finds the checkout that a cursor names. A malformed cursor is looked up too, and the store compares the subject
 * before it reads orders. So neither the error nor the response time reveals whether the checkout belongs to another
 * subject.
 *
 * @throws RequestError `ERR_REQUEST` unless the cursor names one of this subject's checkouts.
 */
async function findCursor(
  store: HandlerSettings<never>['store'],
  subject: string,
  cursor: string,
): Promise<CheckoutCursor> {
  const text = Buffer.from(cursor, 'base64url').toString();
  const reference = text.slice(text.indexOf('.') + 1);
  const named = isReference(reference) ? reference : NO_REFERENCE;
  const checkout = await store.findCheckout(named, { subject });
  // Compare the whole text, because decoding ignores characters that are not base64url.
  if (checkout?.subject !== subject || encodeCursor(checkout) !== cursor)
    throw new RequestError(
      'ERR_REQUEST',
      'The cursor does not belong to this list. Request the first page again, without a cursor.',
    );
  return checkout;
}
