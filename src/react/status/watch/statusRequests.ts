import type { CheckoutResponse } from '../../../protocol/handler/CheckoutResponse.js';
import { readEventStream } from './readEventStream.js';
import type { WatchOptions } from './watchCheckout.js';

/** A poll that takes longer has failed. */
const POLL_TIMEOUT_MS = 15_000;

const buildStatusUrl = ({ api = '', reference, backend }: WatchOptions, path = '') =>
  backend.buildBackendUrl(api, `/checkouts/${encodeURIComponent(reference)}${path}`);

/** Requests the state of the checkout once. */
export async function pollCheckout(
  options: WatchOptions,
  signal: AbortSignal,
): Promise<CheckoutResponse> {
  const inTime = new AbortController();
  const abort = () => inTime.abort();
  const timer = setTimeout(abort, POLL_TIMEOUT_MS);
  signal.addEventListener('abort', abort);
  try {
    const { backend, credentials, headers } = options;
    const asked = { credentials, headers, signal: inTime.signal };
    let isTooMany = false;
    const ask: typeof fetch = async (...given) => {
      const response = await fetch(...given);
      isTooMany = response.status === 429;
      return response;
    };
    const url = buildStatusUrl(options);
    const body = await backend
      .requestBackend(url, asked, 'ERR_RESPONSE_INVALID', ask)
      .catch((error) => {
        // The code of a refusal for good, but the next request may succeed.
        const message = `${url} answered 429: too many requests.`;
        throw isTooMany ? new backend.RampError('ERR_NETWORK', message) : error;
      });
    return parseCheckoutResponse(body, options);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/**
 * Opens the event stream of the checkout and yields its states.
 *
 * @param lastId - The id of the last event, or `''`.
 * @param onOpen - Is called once the backend has responded with a stream, which may have nothing new.
 * @param onBytes - Is called with whatever arrives.
 */
export async function* streamCheckout(
  options: WatchOptions,
  lastId: string,
  signal: AbortSignal,
  onOpen: () => void,
  onBytes: () => void,
) {
  const url = buildStatusUrl(options, '/events');
  const { credentials, headers: given } = options;
  const headers = new Headers(typeof given === 'function' ? await given() : given);
  headers.set('Accept', 'text/event-stream');
  if (lastId) headers.set('Last-Event-ID', lastId);
  const response = await fetch(url, { ...(credentials && { credentials }), headers, signal });
  const type = response.headers.get('Content-Type') ?? '';
  if (!response.ok || !response.body || !type.startsWith('text/event-stream'))
    throw new options.backend.RampError('ERR_RESPONSE_INVALID', `${url} answered no event stream.`);
  onOpen();
  for await (const { id, event, data } of readEventStream(response.body, onBytes))
    if (event === 'checkout') yield { id, answer: parseCheckoutResponse(parseJson(data), options) };
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return {};
  }
}

function parseCheckoutResponse(body: unknown, { backend }: WatchOptions): CheckoutResponse {
  const { progress, orders } = body as Partial<CheckoutResponse>;
  if (typeof progress === 'string' && Array.isArray(orders)) return body as CheckoutResponse;
  throw new backend.RampError(
    'ERR_RESPONSE_INVALID',
    'The backend answered no state of a checkout.',
  );
}
