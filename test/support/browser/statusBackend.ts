import { waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import type { CheckoutResponse } from '../../../src/index.js';
import { mockFetch } from './mockFetch.js';

/** Creates the status response of a checkout, by default of an unpaid one. */
export const createCheckoutResponse = (
  given: Partial<CheckoutResponse> = {},
): CheckoutResponse => ({
  reference: 'r1',
  widget: 'on-ramp',
  progress: 'waiting',
  orders: [],
  ...given,
});

/** A request for the status of a checkout. The test responds to it. */
export interface StatusRequest {
  readonly path: string;
  readonly init: RequestInit;
  /** Responds with an event stream and keeps it open. */
  stream(): { send(checkout: CheckoutResponse, id?: number): void; beat(): void; end(): void };
  json(body: unknown, status?: number, headers?: Record<string, string>): void;
  /** Responds that the state has not changed. */
  notModified(): void;
  fail(): void;
}

/** Replaces `fetch` with a fake backend. The test responds to the requests: `nth` waits for the nth one. */
export function statusBackend() {
  const requests: StatusRequest[] = [];
  mockFetch(({ url, init, respond, fail }) => {
    init.signal?.addEventListener('abort', () => fail(init.signal?.reason));
    requests.push({
      path: url.href.replace(location.origin, ''),
      init,
      stream: () => respondWithStream(respond, init.signal),
      json: (body, status = 200, headers = {}) => respond(Response.json(body, { status, headers })),
      notModified: () => respond(new Response(null, { status: 304 })),
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

function respondWithStream(
  respond: (response: Response) => void,
  signal: AbortSignal | null | undefined,
): ReturnType<StatusRequest['stream']> {
  const encoder = new TextEncoder();
  let to: ReadableStreamDefaultController | undefined;
  const body = new ReadableStream({
    start(controller) {
      to = controller;
      signal?.addEventListener('abort', () => controller.error(signal.reason));
    },
  });
  respond(new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }));
  return {
    send: (data, id = 1) =>
      to?.enqueue(encoder.encode(`id: ${id}\nevent: checkout\ndata: ${JSON.stringify(data)}\n\n`)),
    beat: () => to?.enqueue(encoder.encode(':\n\n')),
    end: () => to?.close(),
  };
}
