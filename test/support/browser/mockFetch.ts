import { vi } from 'vitest';

/** A request that waits until the test responds to it. */
export interface PendingRequest {
  readonly url: URL;
  readonly init: RequestInit;
  readonly aborted: boolean;
  respond(response: Response): void;
  /** Rejects, as `fetch` does without a connection. */
  fail(cause?: unknown): void;
}

/** Replaces `fetch`: each request is passed to `onRequest` and waits for its response. */
export function mockFetch(onRequest: (request: PendingRequest) => void): void {
  vi.spyOn(globalThis, 'fetch').mockImplementation(
    (input, init = {}) =>
      new Promise((resolve, reject) =>
        onRequest({
          url: new URL(`${input}`, location.origin),
          init,
          get aborted() {
            return init.signal?.aborted ?? false;
          },
          respond: resolve,
          fail: (cause = new TypeError('Failed to fetch')) => reject(cause),
        }),
      ),
  );
}
