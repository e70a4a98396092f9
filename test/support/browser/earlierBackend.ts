import { vi } from 'vitest';
import { exchanges } from '../server/earlierRelease.js';

/** A request of the page to the earlier backend. */
interface SentRequest {
  readonly route: string;
  readonly body?: unknown;
  readonly headers: Headers;
  readonly status: number;
}

/** The fields of a proposal that the earlier handler takes. It refuses every other one. */
const FIELDS = ['widget', 'params'];

/**
 * Replaces `fetch` with a handler of the release that `scripts/recordRelease.ts` has recorded: it sends the recorded
 * responses, refuses a proposal with a field that it does not know, and responds with 404 to routes that it lacks.
 */
export function earlierBackend() {
  const sent: SentRequest[] = [];
  const closeStreams: (() => void)[] = [];
  const backend = {
    /** The requests, with the status of their responses. */
    sent,
    isPaid: false,
    /** If false, streams are refused, as that handler does once a shopper has too many. */
    hasStreams: true,
    /** Pays the on-ramp checkout. The open stream tells the page. */
    pay() {
      backend.isPaid = true;
      for (const send of closeStreams.splice(0)) send();
    },
  };
  const isFinal = (text: unknown) => JSON.stringify(text).includes('finished');

  /** Returns the recorded exchange of a request. */
  function findExchange(method: string, url: URL, body: { widget?: string } | undefined) {
    const path = url.pathname.replace('/api/ramp', '');
    const found = exchanges.filter(({ request }) => {
      const known = new URL(request.path, 'https://shop.example');
      return (
        request.method === method &&
        known.pathname === path &&
        known.searchParams.has('open') === url.searchParams.has('open')
      );
    });
    if (path === '/checkouts' && body) {
      const isRefused = Object.keys(body).some((name) => !FIELDS.includes(name));
      return found.find(
        ({ request, response }) =>
          (request.body as typeof body).widget === body.widget &&
          response.status === (isRefused ? 400 : 201),
      );
    }
    return found.find(({ response }) => isFinal(response.body) === backend.isPaid) ?? found[0];
  }

  function stream(text: string, signal: AbortSignal | null | undefined): Response {
    // What the stream sends before and after the payment.
    const paidAt = text.search(/id: \d+\nevent: checkout\ndata: [^\n]*finished/);
    const parts = paidAt < 0 ? [text, ''] : [text.slice(0, paidAt), text.slice(paidAt)];
    const encoder = new TextEncoder();
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(encoder.encode(backend.isPaid ? text : parts[0]));
        closeStreams.push(() => controller.enqueue(encoder.encode(parts[1])));
        signal?.addEventListener('abort', () => controller.error(signal.reason));
      },
    });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } });
  }

  vi.spyOn(window, 'fetch').mockImplementation(async (input, init = {}) => {
    const url = new URL(`${input}`, location.origin);
    const { method = 'GET' } = init;
    const body = init.body ? JSON.parse(`${init.body}`) : undefined;
    const unknown = exchanges.find(({ request }) => request.path === '/a-route-of-a-later-release');
    const { response } = findExchange(method, url, body) ?? { response: unknown?.response };
    if (!response) throw new Error('The recording has no response for an unknown route.');
    const route = `${method} ${url.pathname.replace('/api/ramp', '')}`;
    sent.push({ route, body, headers: new Headers(init.headers), status: response.status });
    if (typeof response.body === 'string')
      return backend.hasStreams
        ? stream(response.body, init.signal)
        : Response.json({ error: { code: 'ERR_REQUEST', message: 'Too many.' } }, { status: 429 });
    return Response.json(response.body, { status: response.status, headers: response.headers });
  });
  return backend;
}
