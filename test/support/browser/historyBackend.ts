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
 * Replaces `fetch` with a ramp handler that lists `checkouts`, newest first. `respond` replaces its responses to list
 * requests. `continued` has the references of the checkouts that were continued.
 */
export function historyBackend(...checkouts: ListedCheckout[]) {
  const backend = {
    checkouts,
    /** The requests for the list, such as `/checkouts?limit=20`. */
    requests: [] as string[],
    respond: undefined as (() => Promise<Response>) | undefined,
    continued: [] as string[],
  };
  vi.spyOn(window, 'fetch').mockImplementation(async (input, init = {}) => {
    const { pathname, searchParams, search } = new URL(`${input}`, location.origin);
    const path = pathname.replace('/api/ramp', '');
    if (path.endsWith('/continue')) {
      const reference = path.split('/')[2] ?? '';
      backend.continued.push(reference);
      return Response.json({ reference, params: { signature: `of ${reference}` } });
    }
    // Refuse event streams, so that a card polls the state.
    if (path.endsWith('/events')) return Response.json({}, { status: 501 });
    if (path !== '/checkouts' || (init.method ?? 'GET') !== 'GET')
      return Response.json(backend.checkouts.find(({ reference }) => path.endsWith(reference)));
    backend.requests.push(`${path}${search}`);
    if (backend.respond) return backend.respond();
    const listed = backend.checkouts.filter(
      ({ progress }) => !searchParams.has('open') || progress === 'waiting',
    );
    const from = Number(searchParams.get('cursor')?.slice(1) ?? 0);
    const end = from + Number(searchParams.get('limit'));
    return Response.json({
      checkouts: listed.slice(from, end),
      ...(end < listed.length && { nextCursor: toCursor(end) }),
    });
  });
  return backend;
}

export const failure = (status: number, code: string) => async () =>
  Response.json({ error: { code, message: 'no' } }, { status });
