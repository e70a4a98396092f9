import { vi } from 'vitest';

/** A request that stays pending until the test responds to it or lets it fail. */
export interface PendingRequest {
  readonly url: URL;
  readonly init: RequestInit;
  readonly aborted: boolean;
  respond(response: Response): void;
  /** Makes `fetch` reject, by default with the error of a lost connection. */
  fail(cause?: unknown): void;
}

/**
 * Replaces `fetch`. Each request is passed to `onRequest`, and stays pending until the test settles it. Only the report
 * that a checkout was opened is not passed on. It is the only request with `keepalive`.
 */
export function mockFetch(onRequest: (request: PendingRequest) => void): void {
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init = {}) =>
    init.keepalive
      ? Promise.resolve(new Response(null, { status: 204 }))
      : new Promise((resolve, reject) =>
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
