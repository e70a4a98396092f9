type HeaderRecord = Readonly<Record<string, string>>;

/** Request headers, or a function that returns those of the next request. */
export type RequestHeaders = HeaderRecord | (() => HeaderRecord | Promise<HeaderRecord>);

/** The address of the partner's backend and the settings of each request to it. */
export interface BackendSettings {
  /** Base path or URL of the backend's ramp handler. */
  readonly api?: string | undefined;
  /** For requests to `api`: `include` for a backend on another origin. @default 'same-origin' */
  readonly credentials?: RequestCredentials | undefined;
  /**
   * Headers for requests to `api`, such as a CSRF token. A function is called for each request, each poll and each
   * reconnection of an event stream, so that a token that has expired is replaced; it may return a promise. When it
   * throws or rejects, a button reports `ERR_SIGNER`; any other request fails with `ERR_NETWORK` and is retried.
   */
  readonly headers?: RequestHeaders | undefined;
}

/**
 * The settings of the backend, and the function that sends requests with them. Lazy code gets it passed in instead of
 * importing it: esbuild moves a module that several chunks import out of the first chunk, so every page with a button
 * would load one more file, and 130 bytes after gzip.
 */
export interface BackendConnection extends BackendSettings {
  /** Sends a request to the backend. */
  readonly request: typeof fetchBackend;
}

/** The response to a request, or the reason why there is none. `responses.ts` reads it. */
export interface BackendReply {
  readonly url: string;
  readonly response?: Response;
  /** The error of `fetch`, if the backend could not be reached. */
  readonly cause?: unknown;
}

/**
 * Sends a request to the ramp handler of the partner's backend. It rejects only with an error of `headers`. In the first
 * load of a page, unlike the code that reads the reply.
 *
 * @param path - The route, below `api`.
 */
export async function fetchBackend(
  {
    api = '',
    credentials,
    headers: given,
    fetch: send = fetch,
  }: BackendSettings & { readonly fetch?: typeof fetch | undefined },
  path: string,
  init: Omit<RequestInit, 'headers' | 'credentials'> & { readonly headers?: HeaderRecord },
): Promise<BackendReply> {
  const url = api.replace(/\/+$/, '') + path;
  const headers = new Headers(typeof given === 'function' ? await given() : given);
  for (const name in init.headers) headers.set(name, init.headers[name] as string);
  return send(url, { ...init, credentials, headers } as RequestInit).then(
    (response) => ({ url, response }),
    (cause) => ({ url, cause }),
  );
}
