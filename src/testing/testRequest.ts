type GivenHeaders = RequestInit['headers'];

/**
 * Creates a request of the shop's page. It is built from plain values, because the classes of jsdom and happy-dom are
 * not those of Node.js.
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
