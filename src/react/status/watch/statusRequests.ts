import { RampError } from '../../../protocol/errors/RampError.js';
import type { CheckoutResponse } from '../../../protocol/handler/CheckoutResponse.js';
import { readJson, requestBackend, withTimeout } from '../../backend/responses.js';
import type { WatchOptions } from './watchCheckout.js';

const POLL_TIMEOUT_MS = 15_000;

const toPath = (reference: string, suffix = '') =>
  `/checkouts/${encodeURIComponent(reference)}${suffix}`;

/** A state that a poll returned, and its `ETag`. */
export interface PolledState {
  readonly checkout: CheckoutResponse;
  /** Null if the backend sends none, or is on another origin. */
  readonly tag: string | null;
}

/** @param last - The result of the last poll. It is returned again if the backend responds that it has not changed. */
export function pollCheckout(
  options: WatchOptions,
  last: PolledState | undefined,
  signal: AbortSignal,
): Promise<PolledState> {
  return withTimeout(POLL_TIMEOUT_MS, 'The backend', signal, async (signal) => {
    // Send the tag only to a backend that has sent one. For another origin this header would need a preflight.
    const headers = { ...(last?.tag && { 'If-None-Match': last.tag }) };
    const request = [options, toPath(options.reference), { signal, headers }] as const;
    const response = await requestBackend(request);
    if (last && response.status === 304) return last;
    const body = await readJson('ERR_RESPONSE_INVALID', request, response).catch(throwPollError);
    return { checkout: parseCheckoutResponse(body), tag: response.headers.get('ETag') };
  });
}

/** Throws a rate limit as ERR_NETWORK, so that the watch retries. The code in the response would end the watch. */
function throwPollError(error: RampError): never {
  if (error.status !== 429) throw error;
  throw new RampError('ERR_NETWORK', 'The backend returned 429: too many requests.');
}

/**
 * Opens the event stream of the checkout and yields its states.
 *
 * @param lastId - The id of the last event that was received, or `''` if there was none.
 * @param onOpen - Called when the backend responds with a stream, even if the stream has no new event yet.
 * @param onBytes - Called when bytes arrive, including those of heartbeats.
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
  const response = await requestBackend([options, path, { signal, headers }]);
  const type = response.headers.get('Content-Type') ?? '';
  if (!response.ok || !response.body || !type.startsWith('text/event-stream'))
    throw new RampError('ERR_RESPONSE_INVALID', 'The backend returned no event stream.', {
      status: response.status,
    });
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

interface StreamEvent {
  readonly id: string;
  readonly event: string | undefined;
  readonly data: string;
}

/**
 * Reads server-sent events from the body of a fetch. The browser's `EventSource` is no option, because it cannot send
 * headers.
 *
 * @param onBytes - Called when bytes arrive, which shows that the connection is alive.
 */
async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<StreamEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      onBytes();
      text += decoder.decode(value, { stream: true });
      // The last part may be an incomplete event, so keep it until more bytes arrive.
      const parts = text.split(/\r?\n\r?\n/);
      text = parts.pop() ?? '';
      for (const part of parts) {
        const event = parseEvent(part);
        if (event.data) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parseEvent(part: string): StreamEvent {
  const lines = part.split(/\r?\n/);
  const readValues = (name: string) =>
    lines.flatMap((line) =>
      line.startsWith(`${name}:`) ? [line.slice(name.length + 1).replace(/^ /, '')] : [],
    );
  return {
    id: readValues('id').at(-1) ?? '',
    event: readValues('event').at(-1),
    data: readValues('data').join('\n'),
  };
}
