import { waitFor } from '@testing-library/react';
import { expect, vi } from 'vitest';
import type { CheckoutResponse } from '../../../src/index.js';
import type { CheckoutsResponse } from '../../../src/protocol/handler/CheckoutResponse.js';
import { mockFetch } from './mockFetch.js';

/** Creates the state of a checkout, by default of an unpaid one. */
export const createCheckoutResponse = (
  given: Partial<CheckoutResponse> = {},
): CheckoutResponse => ({
  reference: 'r1',
  widget: 'on-ramp',
  progress: 'waiting',
  orders: [],
  ...given,
});

/** Creates the response to a request for the states of these checkouts. */
export const createPollResponse = (...named: readonly CheckoutResponse[]): CheckoutsResponse => ({
  checkouts: [],
  named,
  pollAfterSeconds: 3,
});

/** A request for the states of checkouts. The test responds to it. */
export interface StatusRequest {
  readonly path: string;
  /** The checkouts that the page asks for. */
  readonly references: readonly string[];
  readonly init: RequestInit;
  /** Responds with these states. */
  respond(...states: readonly CheckoutResponse[]): void;
  json(body: unknown, status?: number, headers?: Record<string, string>): void;
  fail(): void;
}

/** Replaces `fetch` with a fake backend. The test responds to the requests: `nth` waits for the nth one. */
export function statusBackend() {
  const requests: StatusRequest[] = [];
  mockFetch(({ url, init, respond, fail }) => {
    init.signal?.addEventListener('abort', () => fail(init.signal?.reason));
    const json: StatusRequest['json'] = (body, status = 200, headers = {}) =>
      respond(Response.json(body, { status, headers }));
    requests.push({
      path: url.href.replace(location.origin, ''),
      references: url.searchParams.get('references')?.split(',') ?? [],
      init,
      respond: (...states) => json(createPollResponse(...states)),
      json,
      fail: () => fail(),
    });
  });
  const nth = (n: number) =>
    waitFor(
      () => {
        expect(requests.length).toBeGreaterThanOrEqual(n);
        return requests[n - 1] as StatusRequest;
      },
      // A minute, which is only 6 s of real time in tests that call accelerateTime().
      { timeout: 60_000 },
    );
  return { requests, nth };
}

/** Makes the page poll at once, as it does when the connection is back, and without jitter. */
export function pollNow(): void {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  window.dispatchEvent(new Event('online'));
  random.mockRestore();
}
