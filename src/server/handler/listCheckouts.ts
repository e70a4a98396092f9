import { Hono } from 'hono';
import { createParamsError } from '../../protocol/errors/RampError.js';
import type { CheckoutsResponse } from '../../protocol/handler/CheckoutResponse.js';
import { parseQuery } from '../../protocol/query.js';
import { isReference } from '../internal/createReference.js';
import { RequestError } from '../internal/errorResponses.js';
import { sendJson } from '../internal/jsonResponse.js';
import { getSeconds } from '../internal/runtime.js';
import type { CheckoutCursor } from '../orders/store/OrderStore.js';
import type { RampEnv } from './createRampApp.js';
import type { HandlerSettings } from './options.js';
import { findSubject, toCheckoutResponse, withReadError } from './status.js';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 50;

/**
 * Creates `GET /checkouts`: lists the checkouts of the caller, newest first. Unlike `GET /checkouts/:reference`,
 * it does not mark checkouts as opened.
 */
export function createListRoutes<Context>(
  settings: HandlerSettings<Context>,
): Hono<RampEnv<Context>> {
  const { getSubject } = settings;
  const app = new Hono<RampEnv<Context>>();
  app.get('/checkouts', async (c) => {
    if (!getSubject || getSubject === 'anyone')
      throw new RequestError(
        404,
        'createRampHandler lists checkouts only if it can tell callers apart. Pass getSubject: a function that returns the id of the caller, the same as the subject of your policy.',
      );
    const query = parseListQuery(new URL(c.req.url).search);
    const page = await withReadError('The checkouts', async () => {
      const subject = await findSubject(c, getSubject);
      return subject ? readPage(settings, subject, query) : { checkouts: [] };
    });
    return sendJson(c, page satisfies CheckoutsResponse);
  });
  return app;
}

interface ListQuery {
  /** Whether to list only checkouts that can be continued. */
  readonly isOpen: boolean;
  readonly cursor: string | undefined;
  readonly limit: number;
}

/** @throws RampError `ERR_PARAMS_INVALID` for an unknown, repeated or malformed parameter. */
function parseListQuery(search: string): ListQuery {
  const { open, cursor, limit = `${DEFAULT_LIMIT}`, ...unknown } = parseQuery(search);
  const issues = Object.keys(unknown).map((param) => ({
    param,
    message: 'is not a parameter of this list',
  }));
  if (open !== undefined && open !== '1') issues.push({ param: 'open', message: 'must be 1' });
  if (!/^[1-9]\d?$/.test(limit) || Number(limit) > MAX_LIMIT)
    issues.push({ param: 'limit', message: `must be a whole number from 1 to ${MAX_LIMIT}` });
  if (issues.length > 0) throw createParamsError(issues, 'The query was');
  return { isOpen: open === '1', cursor, limit: Number(limit) };
}

async function readPage<Context>(
  settings: HandlerSettings<Context>,
  subject: string,
  { isOpen, cursor, limit }: ListQuery,
): Promise<CheckoutsResponse> {
  const { store, runtime, signatureSeconds } = settings;
  const before = cursor === undefined ? undefined : await findCursor(store, subject, cursor);
  const listed = await store.listCheckouts({
    subject,
    // A checkout is not signed again if it expires before the new signature.
    ...(isOpen && { openAt: getSeconds(runtime) + signatureSeconds }),
    ...(before && { before }),
    // Request one more than the page has, to learn whether there is another page.
    limit: limit + 1,
  });
  // Do not rely on a store of the partner to compare the subject.
  const own = listed.filter(({ intent }) => intent.subject === subject);
  const page = own.slice(0, limit);
  const last = page.at(-1);
  return {
    checkouts: page.map((checkout) => ({
      ...toCheckoutResponse(checkout, settings),
      createdAt: checkout.intent.createdAt,
    })),
    ...(last && own.length > limit && { nextCursor: encodeCursor(last.intent) }),
  };
}

const encodeCursor = ({ createdAt, reference }: CheckoutCursor): string =>
  Buffer.from(`${createdAt}.${reference}`).toString('base64url');

/** Has the format of a reference, but no checkout has it, because real references are longer. */
const NO_REFERENCE = 'none';

/**
 * Finds the checkout of a cursor. A malformed cursor is looked up too, and the store compares the subject before it
 * reads orders. So neither the error nor the response time tells whether another subject has the checkout.
 *
 * @throws RequestError 400 unless the cursor is that of a checkout of this subject.
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
  if (checkout?.intent.subject !== subject || encodeCursor(checkout.intent) !== cursor)
    throw new RequestError(
      400,
      'The cursor does not belong to this list. Request the first page again, without a cursor.',
    );
  return checkout.intent;
}
