type HeaderRecord = Readonly<Record<string, string>>;

/** Headers for requests to the backend, or a function that is called before each request and returns its headers. */
export type RequestHeaders = HeaderRecord | (() => HeaderRecord | Promise<HeaderRecord>);

/** Where the partner's backend is, and how a page sends requests to it. */
export interface BackendSettings {
  /** Base path or URL of the backend's ramp handler. */
  readonly api?: string | undefined;
  /** Whether requests to `api` carry cookies. Use `include` for a backend on another origin. @default 'same-origin' */
  readonly credentials?: RequestCredentials | undefined;
  /**
   * Headers for requests to `api`, such as a CSRF token. A function is called before every request, including each poll
   * and each reconnection of an event stream, so it can replace an expired token. It may return a promise. If the
   * function throws or rejects, a button reports `ERR_SIGNER`. Requests for states, lists and prices fail with
   * `ERR_NETWORK` and are retried.
   */
  readonly headers?: RequestHeaders | undefined;
}

/**
 * The settings of the backend, and the function that sends requests with them. Lazy code receives this function as an
 * argument instead of importing `fetchBackend`. If several chunks imported it, esbuild would move it out of the entry
 * chunk, and every page with a button would load one more file, and 130 bytes more after gzip.
 */
export interface BackendConnection extends BackendSettings {
  /** Sends a request to a route below `api`. Pass the settings, such as this object, as the first argument. */
  readonly request: typeof fetchBackend;
}

/** The response to a request, or the error that prevented one. `responses.ts` reads this reply. */
export interface BackendReply {
  readonly url: string;
  readonly response?: Response;
  /** The error of `fetch`, if the backend could not be reached. */
  readonly cause?: unknown;
}

/**
 * Sends a request to the ramp handler of the partner's backend. The promise rejects only if `headers` throws, rejects
 * or is invalid, or if the environment has no `fetch`. If the backend cannot be reached, the reply has a `cause`. This
 * function is in the entry chunk; the code that reads the reply loads later.
 *
 * @param path - The route below `api`, such as `/checkouts`.
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
