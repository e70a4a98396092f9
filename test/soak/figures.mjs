/** Returns the percentile by nearest rank: the smallest value that at least this share of the values do not exceed. */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

/** The expected status of each route. */
export const routes = {
  'GET /': 200,
  'GET /config.json': 200,
  'GET /listings.json': 200,
  'GET /api/session': 200,
  'GET /api/ramp/currencies': 200,
  'GET /api/ramp/cryptocurrencies': 200,
  'GET /api/ramp/quote': 200,
  'POST /api/ramp/checkouts': 201,
  'GET /api/ramp/checkouts/:reference': 200,
  'GET /api/ramp/checkouts/:reference/events': 200,
  'GET /api/orders': 200,
  'POST /api/orders': 204,
};

/** The routes that need the service. */
const ofService = /\/(?:quote|currencies|cryptocurrencies)$/;

/**
 * Classifies a response or a failed request. `sandbox`: the shop reports a failure of the service during a fault.
 * `stopped`: the request failed, or the shop closed its event streams, while the shop was stopped. Every other
 * unexpected result is an `error`.
 */
export function classify({ route, status, code }, { isDown, isFaulty }) {
  if (status === undefined) return isDown ? 'stopped' : 'error';
  if (status === routes[route]) return 'ok';
  if (status !== 503) return 'error';
  if (isDown && route.endsWith('/events')) return 'stopped';
  return isFaulty && code === 'ERR_API_RESPONSE' && ofService.test(route) ? 'sandbox' : 'error';
}

/** The smallest number of requests with a meaningful 99th percentile. */
const FEWEST = 100;

/**
 * Compares the p99 of each route over all later minutes without faults with the p99 of the first minute. The later
 * minutes are combined, because three slow requests would decide the p99 of a rare route in one minute.
 *
 * @param times - By route, by minute, in milliseconds.
 * @returns Every comparison, and the comparisons above `limit`.
 */
export function comparePercentiles(times, plan, limit) {
  const quiet = plan.filter(({ minute, isFault, isStop }) => minute > 1 && !isFault && !isStop);
  const compared = Object.entries(times).flatMap(([route, minutes]) => {
    const first = minutes[1] ?? [];
    const later = quiet.flatMap(({ minute }) => minutes[minute] ?? []);
    if (Math.min(first.length, later.length) < FEWEST) return [];
    return [{ route, ratio: percentile(later, 0.99) / percentile(first, 0.99) }];
  });
  return { compared, slow: compared.filter(({ ratio }) => !(ratio <= limit)) };
}

/** Returns the last value divided by the first one. */
export const growth = (values) => values.at(-1) / values[0];
