import { Agent, request } from 'node:http';

const TIMEOUT_MS = 30_000;
/**
 * The time after a fault during which failures of the service still count as expected, because the circuit breaker is
 * open.
 */
const AFTER_FAULT_MS = 15_000;
/** The time during which requests are not measured, because the shop is forced to collect garbage after each minute. */
const COLLECTION_MS = 2000;
const MAX_NOTED = 20;

/** The expected status of each route. */
const routes = {
  'GET /': 200,
  'GET /config.json': 200,
  'GET /listings.json': 200,
  'GET /api/session': 200,
  'GET /api/ramp/currencies': 200,
  'GET /api/ramp/cryptocurrencies': 200,
  'GET /api/ramp/quote': 200,
  'POST /api/ramp/checkouts': 201,
  'GET /api/ramp/checkouts/:reference': 200,
  'GET /api/ramp/checkouts?references=…': 200,
  'GET /api/ramp/checkouts': 200,
  'GET /api/orders': 200,
};

/** Matches the routes that fail when the service fails. */
const ofService = /\/(?:quote|currencies|cryptocurrencies)$/;

/**
 * Classifies the result of a request:
 * - `ok`: the expected status.
 * - `sandbox`: the shop reports that the service failed, during a fault of the service.
 * - `stopped`: the request failed while the shop was stopped.
 * - `error`: any other result.
 */
function classify({ route, status, code }, { isDown, isFaulty }) {
  if (status === undefined) return isDown ? 'stopped' : 'error';
  if (status === routes[route]) return 'ok';
  if (status !== 503) return 'error';
  return isFaulty && code === 'ERR_API_RESPONSE' && ofService.test(route) ? 'sandbox' : 'error';
}

/**
 * Creates what all requests of a run share: the connections, the phase of the run, and the measurements.
 *
 * @param shopUrl - The origin of the shop.
 */
export function createLoad(shopUrl) {
  // The agent reuses the connection that was idle for longest, as a proxy does, so that few connections are new. The
  // server closes idle connections after five seconds. The agent closes them after three, because a request on a
  // connection that is about to close would fail.
  const agent = new Agent({ keepAlive: true, timeout: 3000, scheduling: 'fifo' });
  const figures = createFigures();
  let open = 0;
  return {
    ...figures,
    get isDown() {
      return figures.isDown;
    },
    /**
     * Sends a request and counts its result. Its duration includes the delay since `scheduledAt`.
     *
     * @returns The parsed body if the response is JSON, otherwise `{ received }` with its headers. Undefined if the
     * request failed or its status is not the expected one.
     */
    async send(visitor, route, path, { body, scheduledAt = Date.now() } = {}) {
      const sent = { route, visitor, scheduledAt, wasDown: figures.isDown };
      const { method, headers, text } = createRequest(visitor, route, body, shopUrl);
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      open++;
      const { result, value } = await exchange(
        shopUrl + path,
        { method, agent, headers, signal },
        text,
      );
      open--;
      return figures.record({ ...sent, ...result }) === 'ok' ? value : undefined;
    },
    /** The number of requests that still wait for a response. */
    get open() {
      return open;
    },
  };
}

function createFigures() {
  /** `times[route][minute]` has the durations of requests, in milliseconds. */
  const times = {};
  const counts = { ok: 0, sandbox: 0, stopped: 0, error: 0 };
  const noted = new Map();
  const addresses = new Set();
  let isDown = false;
  let faultyUntil = 0;
  let beginsAt = Number.POSITIVE_INFINITY;
  return {
    counts,
    get isDown() {
      return isDown;
    },
    setDown(value) {
      isDown = value;
    },
    setFaulty(value) {
      faultyUntil = value ? Number.POSITIVE_INFINITY : Date.now() + AFTER_FAULT_MS;
    },
    beginAt(time) {
      beginsAt = time;
    },
    /** Counts the result of a request. Returns its kind, see {@link classify}. */
    record({ route, visitor, scheduledAt, wasDown, ...result }) {
      const now = Date.now();
      const state = { isDown: wasDown || isDown, isFaulty: now < faultyUntil };
      const kind = classify({ route, ...result }, state);
      counts[kind]++;
      addresses.add(visitor.address);
      const sinceBegin = scheduledAt - beginsAt;
      const minute = Math.floor(sinceBegin / 60_000) + 1;
      const isMeasured = sinceBegin >= 0 && sinceBegin % 60_000 >= COLLECTION_MS;
      if (isMeasured && kind !== 'stopped') {
        times[route] ??= {};
        times[route][minute] ??= [];
        times[route][minute].push(now - scheduledAt);
      }
      if (kind !== 'error') return kind;
      const { status = 'no response', code = '' } = result;
      const text = `minute ${minute}: ${route}: ${status} ${code}`;
      if (noted.has(text) || noted.size < MAX_NOTED) noted.set(text, (noted.get(text) ?? 0) + 1);
      return kind;
    },
    report: () => ({
      times,
      counts,
      addresses: addresses.size,
      noted: [...noted].map(([text, count]) => `${text} × ${count}`),
    }),
  };
}

function headersOf(visitor) {
  return {
    'X-Forwarded-For': visitor.address,
    ...(visitor.cookie && { Cookie: visitor.cookie }),
  };
}

function createRequest(visitor, route, body, shopUrl) {
  const [method] = route.split(' ');
  const headers = headersOf(visitor);
  const text = body && JSON.stringify(body);
  if (text) {
    headers.Origin = shopUrl;
    headers['Content-Type'] = 'application/json';
    headers['Content-Length'] = Buffer.byteLength(text);
  }
  return { method, headers, text };
}

/** Sends a request. Never rejects: if the request fails, `result` has an error code but no status. */
function exchange(url, options, text) {
  return new Promise((resolve) => {
    const fail = (error) => resolve({ result: { code: error.code ?? error.name } });
    const call = request(url, options, (response) => {
      const { statusCode: status, headers: received } = response;
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      // A truncated response counts as a failed request, even if it has a status.
      response.once('error', (error) => resolve({ result: { code: error.code } }));
      response.once('end', () => {
        const isJson = /json/.test(received['content-type'] ?? '');
        const value = isJson ? parse(Buffer.concat(chunks)) : { received };
        resolve({ result: { status: value && status, code: value?.error?.code }, value });
      });
    });
    call.once('error', fail);
    call.end(text);
  });
}

function parse(body) {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
