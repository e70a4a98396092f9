import { RampError } from '../../protocol/errors/RampError.js';
import type {
  CheckoutResponse,
  CheckoutsResponse,
  ListedCheckout,
} from '../../protocol/handler/CheckoutResponse.js';
import type { BackendSettings } from '../backend/fetchBackend.js';
import { readJson, requestBackend, withTimeout } from '../backend/responses.js';

const TIMEOUT_MS = 15_000;

/** What one request to `GET {api}/checkouts` asks for. */
export interface CheckoutsQuery {
  /** The checkouts whose states are requested, at most 50. */
  readonly references?: readonly string[];
  /** How many of the newest checkouts are listed, at most 50. */
  readonly limit?: number;
  readonly cursor?: string;
}

/** A response that can be revalidated with its `ETag`. */
export interface TaggedResponse {
  readonly path: string;
  readonly tag: string;
  readonly response: CheckoutsResponse;
}

/**
 * Requests states and a list of checkouts.
 *
 * @param last - The last response with a tag. Its content is returned again if the backend responds that nothing has
 * changed.
 * @returns The response, and what to pass as `last` next time.
 * @throws RampError `ERR_NETWORK`, `ERR_TIMEOUT`, `ERR_RESPONSE_INVALID`, `ERR_CONFIG_INVALID` without an `api`, or a
 * code from the backend.
 */
export async function requestCheckouts(
  backend: BackendSettings,
  query: CheckoutsQuery,
  signal: AbortSignal,
  last?: TaggedResponse,
): Promise<{ response: CheckoutsResponse; last: TaggedResponse | undefined }> {
  if (backend.api == null)
    throw new RampError(
      'ERR_CONFIG_INVALID',
      'api is missing: pass the path of your ramp handler to RampProvider, or to the component or hook.',
    );
  const path = toPath(query);
  const known = last?.path === path ? last : undefined;
  return withTimeout(TIMEOUT_MS, 'The backend', signal, async (signal) => {
    // Send a tag only to a backend that has sent one: on another origin, this header needs a preflight.
    const headers = { ...(known && { 'If-None-Match': known.tag }) };
    const request = [backend, path, { signal, headers }] as const;
    const reply = await requestBackend(request);
    if (known && reply.status === 304) return { response: known.response, last: known };
    const response = parseResponse(await readJson('ERR_RESPONSE_INVALID', request, reply), query);
    const tag = reply.headers.get('ETag');
    return { response, last: tag === null ? undefined : { path, tag, response } };
  });
}

function toPath({ references = [], limit = 0, cursor }: CheckoutsQuery): string {
  const query = [
    references.length > 0 && `references=${references.map(encodeURIComponent).join(',')}`,
    limit > 0 && `limit=${limit}`,
    cursor !== undefined && `cursor=${encodeURIComponent(cursor)}`,
  ].filter(Boolean);
  return `/checkouts?${query.join('&')}`;
}

function parseResponse(
  body: Partial<CheckoutsResponse>,
  { references = [] }: CheckoutsQuery,
): CheckoutsResponse {
  const { checkouts, named, nextCursor, pollAfterSeconds } = body;
  const hasNamed = named !== undefined || references.length > 0;
  if (
    Array.isArray(checkouts) &&
    checkouts.every(isListed) &&
    (!hasNamed || (Array.isArray(named) && named.every(isCheckout))) &&
    (nextCursor === undefined || typeof nextCursor === 'string')
  )
    // A backend in another language may leave out the pause. Then the shortest one applies.
    return { ...(body as CheckoutsResponse), pollAfterSeconds: Number(pollAfterSeconds) || 0 };
  throw new RampError('ERR_RESPONSE_INVALID', 'The backend returned no list of checkouts.');
}

const isCheckout = (item: Partial<CheckoutResponse> | null): boolean =>
  typeof item?.reference === 'string' &&
  typeof item.progress === 'string' &&
  Array.isArray(item.orders);

const isListed = (item: Partial<ListedCheckout> | null): boolean =>
  isCheckout(item) && typeof item?.createdAt === 'number';
