import { RampError } from '../../../protocol/errors/RampError.js';
import type { CheckoutResponse } from '../../../protocol/handler/CheckoutResponse.js';
import { getResponse, readReply, withTimeout } from '../../backend/responses.js';
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
  const { request, reference } = options;
  try {
    return await withTimeout(POLL_TIMEOUT_MS, 'The backend', signal, async (signal) => {
      const reply = await request(options, toPath(reference), { signal });
      return parseCheckoutResponse(await readReply(reply, 'ERR_RESPONSE_INVALID'));
    });
  } catch (cause) {
    const { code, status, message } = cause as RampError;
    // The code of a rate limit would end the watch, but the next request may succeed.
    if (status === 429)
      throw new RampError('ERR_NETWORK', `${options.api} returned 429: too many requests.`);
    throw code === 'ERR_TIMEOUT' ? new RampError('ERR_NETWORK', message) : cause;
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
  const path = toPath(options.reference, '/events');
  const headers = { Accept: 'text/event-stream', ...(lastId && { 'Last-Event-ID': lastId }) };
  const response = getResponse(await options.request(options, path, { signal, headers }));
  const type = response.headers.get('Content-Type') ?? '';
  if (!response.ok || !response.body || !type.startsWith('text/event-stream'))
    throw new RampError('ERR_RESPONSE_INVALID', 'The backend returned no event stream.');
  onOpen();
  for await (const { id, event, data } of readEventStream(response.body, onBytes))
    if (event === 'checkout') yield { id, checkout: parseCheckoutResponse(parseJson(data)) };
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return {};
  }
}

function parseCheckoutResponse(body: unknown): CheckoutResponse {
  const { progress, orders } = body as Partial<CheckoutResponse>;
  if (typeof progress === 'string' && Array.isArray(orders)) return body as CheckoutResponse;
  throw new RampError('ERR_RESPONSE_INVALID', 'The backend returned no state of a checkout.');
}
