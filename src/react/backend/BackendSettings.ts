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
