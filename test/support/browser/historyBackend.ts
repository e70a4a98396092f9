import { vi } from 'vitest';
import type { ListedCheckout } from '../../../src/index.js';

export const createListed = (
  reference: string,
  given: Partial<ListedCheckout> = {},
): ListedCheckout => ({
  reference,
  widget: 'on-ramp',
  progress: 'waiting',
  orders: [],
  createdAt: 1_790_000_000,
  ...given,
});

const toCursor = (index: number) => `c${index}`;

/**
 * Replaces `fetch` with a ramp handler that lists `checkouts`, newest first. `respond` replaces its responses to
 * requests for states and the list. `continued` has the references of the checkouts that were continued.
 */
export function historyBackend(...checkouts: ListedCheckout[]) {
  const backend = {
    checkouts,
    /** The requests for states and the list, such as `/checkouts?references=r1&limit=20`. */
    requests: [] as string[],
    respond: undefined as (() => Promise<Response>) | undefined,
    continued: [] as string[],
  };
  vi.spyOn(window, 'fetch').mockImplementation(async (input) => {
    const { pathname, searchParams, search } = new URL(`${input}`, location.origin);
    const path = pathname.replace('/api/ramp', '');
    if (path.endsWith('/continue')) {
      const reference = path.split('/')[2] ?? '';
      backend.continued.push(reference);
      return Response.json({ reference, params: { signature: `of ${reference}` } });
    }
    if (path.endsWith('/opened')) return new Response(null, { status: 204 });
    backend.requests.push(`${path}${search}`);
    if (backend.respond) return backend.respond();
    const { checkouts } = backend;
    const references = searchParams.get('references')?.split(',');
    const from = Number(searchParams.get('cursor')?.slice(1) ?? 0);
    const limit = Number(searchParams.get('limit'));
    const end = from + limit;
    return Response.json({
      checkouts: checkouts.slice(from, end),
      ...(references && {
        named: checkouts
          .filter(({ reference }) => references.includes(reference))
          .map(({ createdAt: _, ...state }) => state),
      }),
      ...(limit > 0 && end < checkouts.length && { nextCursor: toCursor(end) }),
      pollAfterSeconds: 3,
    });
  });
  return backend;
}

export const failure = (status: number, code: string) => async () =>
  Response.json({ error: { code, message: 'no' } }, { status });
