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
   * Headers for requests to `api`, such as a CSRF token. A function is called before every request, including each
   * poll, so it can replace an expired token. It may return a promise. After a 401, it is called again and the request
   * is repeated once. If the function throws or rejects, a button reports `ERR_SIGNER`. Requests for states, lists and
   * prices fail with `ERR_NETWORK` and are retried.
   */
  readonly headers?: RequestHeaders | undefined;
  /**
   * Sends every request to `api`, called with a URL and `fetch` options. Use it in tests, or to sign in again. The
   * latest render's function is used, so it need not be stable. @default the global fetch
   */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** The response to a request, or the error that `fetch` rejected with. `responses.ts` reads this reply. */
export type BackendReply = Response | { readonly cause: unknown };

/** The `fetch` options that each request sets itself. */
export type BackendRequestInit = Omit<RequestInit, 'headers' | 'credentials'> & {
  readonly headers?: HeaderRecord;
};

/**
 * Returns a backend's base path or URL without a trailing slash. Backends are compared by this value, so normalize
 * `api` where the page sets it.
 */
export const normalizeApi = (api: string): string => api.replace(/\/+$/, '');

/**
 * Sends a request to the ramp handler of the partner's backend. The promise rejects only if `headers` throws, rejects
 * or is invalid, or if the environment has no `fetch`. If the backend cannot be reached, the reply contains a `cause`.
 * This function is in the entry chunk; the code that reads the reply loads later, and repeats the request after a 401.
 *
 * @param path - The route below `api`, such as `/checkouts`.
 */
export async function fetchBackend(
  { api = '', credentials, headers: given, fetch: send = fetch }: BackendSettings,
  path: string,
  init: BackendRequestInit,
): Promise<BackendReply> {
  const headers = new Headers(typeof given === 'function' ? await given() : given);
  for (const name in init.headers) headers.set(name, init.headers[name] as string);
  const options = { ...init, credentials, headers } as RequestInit;
  return send(normalizeApi(api) + path, options).catch((cause) => ({ cause }));
}
