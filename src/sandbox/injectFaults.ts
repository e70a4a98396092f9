import { setTimeout as delay } from 'node:timers/promises';
import type { Context, MiddlewareHandler } from 'hono';
import type { ApiFault, SandboxFaults } from './faults.js';

/** How much later `slow` responds. The API client gives up after three seconds by default. */
const SLOW_MS = 2000;

/** How long `timeout` holds the connection of a client that never gives up. */
const LONGEST_WAIT_MS = 120_000;

/** Delays the responses of routes by `latencyMs`. */
export const createLatency =
  (faults: Pick<SandboxFaults, 'latencyMs'>): MiddlewareHandler =>
  async (c, next) => {
    await waitFor(faults.latencyMs, c);
    await next();
  };

/**
 * Injects the current fault into the partner API's routes.
 *
 * @param isHit - Returns whether request number `count` gets the fault, given the share `rate`.
 * @param sendError - Creates the response of the fault `error`.
 * @param onFault - Called with each request that gets the fault, before it waits.
 */
export function createApiFaults(
  faults: Pick<SandboxFaults, 'apiFault' | 'faultRate'>,
  isHit: (rate: number, count: number) => boolean,
  sendError: (c: Context) => Response,
  onFault: (c: Context, fault: ApiFault) => void,
): MiddlewareHandler {
  let requests = 0;
  return async (c, next) => {
    requests += 1;
    const { apiFault } = faults;
    if (!apiFault || !isHit(faults.faultRate, requests)) return next();
    onFault(c, apiFault);
    switch (apiFault) {
      case 'timeout':
        await waitFor(LONGEST_WAIT_MS, c);
        return c.body(null, 504);
      case 'slow':
        await waitFor(SLOW_MS, c);
        return next();
      case 'http-500':
        return c.html('<h1>500 Internal Server Error</h1>', 500);
      case 'error':
        return sendError(c);
    }
  };
}

/** Waits until the time has passed or the client gives up. The wait does not keep the process running. */
async function waitFor(ms: number, c: Context): Promise<void> {
  if (ms === 0) return;
  await delay(ms, undefined, { signal: c.req.raw.signal, ref: false }).catch(() => {});
}
