import { waitFor } from '@testing-library/react';
import { expect, vi } from 'vitest';
import type { CheckoutResponse } from '../../../src/index.js';

/** How far a checkout is: at first nobody has paid. */
export const createCheckoutResponse = (
  given: Partial<CheckoutResponse> = {},
): CheckoutResponse => ({
  reference: 'r1',
  widget: 'on-ramp',
  progress: 'waiting',
  orders: [],
  ...given,
});

export interface PendingRequest {
  readonly path: string;
  readonly init: RequestInit;
  /** Answers as an event stream and keeps it open. */
  stream(): { send(answer: CheckoutResponse, id?: number): void; beat(): void; end(): void };
  json(body: unknown, status?: number): void;
  fail(): void;
}

/** Takes the place of `fetch`: the routes of a checkout's state, answered by the test. */
export function statusBackend() {
  const asked: PendingRequest[] = [];
  vi.spyOn(window, 'fetch').mockImplementation(
    (url, init = {}) =>
      new Promise((resolve, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        const encoder = new TextEncoder();
        asked.push({
          path: String(url),
          init,
          stream() {
            let to: ReadableStreamDefaultController | undefined;
            const body = new ReadableStream({
              start(controller) {
                to = controller;
                init.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
              },
            });
            resolve(new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }));
            return {
              send: (data, id = 1) =>
                to?.enqueue(
                  encoder.encode(`id: ${id}\nevent: checkout\ndata: ${JSON.stringify(data)}\n\n`),
                ),
              beat: () => to?.enqueue(encoder.encode(':\n\n')),
              end: () => to?.close(),
            };
          },
          json: (body, status = 200) => resolve(Response.json(body, { status })),
          fail: () => reject(new TypeError('Failed to fetch')),
        });
      }),
  );
  const nth = (n: number) =>
    waitFor(
      () => {
        expect(asked.length).toBeGreaterThanOrEqual(n);
        return asked[n - 1] as PendingRequest;
      },
      // 6 s in tests that call hurry().
      { timeout: 60_000 },
    );
  return { asked, nth };
}
