import type { CheckoutResponse } from '../../../protocol/handler/CheckoutResponse.js';
import type { BackendRequest } from '../../backend/requestBackend.js';
import { readEventStream } from './readEventStream.js';
import type { WatchOptions } from './WatchOptions.js';

/** The time-out of a poll. */
const POLL_TIMEOUT_MS = 15_000;

const toPath = (reference: string, suffix = '') =>
  `/checkouts/${encodeURIComponent(reference)}${suffix}`;

/** Requests the state of the checkout once. */
export async function pollCheckout(
  options: WatchOptions,
  signal: AbortSignal,
): Promise<CheckoutResponse> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, POLL_TIMEOUT_MS);
  // Removed by abort() itself.
  signal.addEventListener('abort', abort, { signal: controller.signal });
  try {
    const { request, RampError } = options;
    const init = { signal: controller.signal };
    let refused = '';
    const fetchResponse = async (url: string, init: RequestInit) => {
      const response = await fetch(url, init);
      if (response.status === 429) refused = `${url} returned 429: too many requests.`;
      return response;
    };
    const path = toPath(options.reference);
    const body = await request(
      { ...options, fetch: fetchResponse },
      path,
      init,
      'ERR_RESPONSE_INVALID',
    ).catch((error) => {
      // The code of this error would end the watch, but the next request may succeed.
      throw refused ? new RampError('ERR_NETWORK', refused) : error;
    });
    return parseCheckoutResponse(body, options);
  } finally {
    clearTimeout(timer);
    abort();
  }
}

/**
 * Opens the event stream of the checkout and yields its states.
 *
 * @param lastId - The id of the last event, or `''`.
 * @param onOpen - Called when the backend responds with a stream, which may have no new event.
 * @param onBytes - Called when bytes arrive.
 */
export async function* streamCheckout(
  options: WatchOptions,
  lastId: string,
  signal: AbortSignal,
  onOpen: () => void,
  onBytes: () => void,
) {
  const { request, RampError } = options;
  const path = toPath(options.reference, '/events');
  const fetchStream: BackendRequest['fetch'] = (url, init) => {
    init.headers.set('Accept', 'text/event-stream');
    if (lastId) init.headers.set('Last-Event-ID', lastId);
    return fetch(url, init);
  };
  const response = (await request({ ...options, fetch: fetchStream }, path, {
    signal,
  })) as Response;
  const type = response.headers.get('Content-Type') ?? '';
  if (!response.ok || !response.body || !type.startsWith('text/event-stream'))
    throw new RampError('ERR_RESPONSE_INVALID', 'The backend returned no event stream.');
  onOpen();
  for await (const { id, event, data } of readEventStream(response.body, onBytes))
    if (event === 'checkout')
      yield { id, checkout: parseCheckoutResponse(parseJson(data), options) };
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return {};
  }
}

function parseCheckoutResponse(body: unknown, { RampError }: WatchOptions): CheckoutResponse {
  const { progress, orders } = body as Partial<CheckoutResponse>;
  if (typeof progress === 'string' && Array.isArray(orders)) return body as CheckoutResponse;
  throw new RampError('ERR_RESPONSE_INVALID', 'The backend returned no state of a checkout.');
}
