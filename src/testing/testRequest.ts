type GivenHeaders = RequestInit['headers'];

/**
 * Creates the request of a page of the shop. It is built from plain values, because the classes of jsdom and happy-dom
 * are not those of Node.js.
 */
export function createTestRequest(url: URL, init: RequestInit): Request {
  const headers = toRecord(init.headers);
  headers.origin ??= url.origin;
  const { method = 'GET', body } = init;
  const request = new Request(url, { method, headers, ...(body != null && { body }) });
  // happy-dom removes the headers that a page must not set itself.
  if (!request.headers.has('origin'))
    Object.defineProperty(request, 'headers', { value: new Headers(headers) });
  return request;
}

function toRecord(headers: GivenHeaders): Record<string, string> {
  const entries = Symbol.iterator in Object(headers) ? headers : Object.entries(headers ?? {});
  const record: Record<string, string> = {};
  for (const [name, value] of entries as Iterable<[string, string]>)
    record[name.toLowerCase()] = value;
  return record;
}

/** Returns a response whose stream of events ends when the page aborts its request. */
export function endAtAbort(response: Response, signal: AbortSignal | null | undefined): Response {
  const { body, headers } = response;
  if (!body || !signal || !headers.get('Content-Type')?.startsWith('text/event-stream'))
    return response;
  const reader = body.getReader();
  const events = new ReadableStream<Uint8Array>({
    start(controller) {
      const abort = () => {
        controller.error(signal.reason);
        reader.cancel().catch(() => {});
      };
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      // The page may have aborted the request meanwhile.
      if (signal.aborted) return;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => reader.cancel(),
  });
  return new Response(events, { status: response.status, headers });
}
