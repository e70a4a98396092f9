import type { CheckoutAnswer } from '../../protocol/handler-answers.js';
import type { RampError } from '../../protocol/ramp-error.js';
import type { askBackend, backendUrl } from '../askBackend.js';
import type { RampSettings } from '../checkout-types.js';
import { eventStream } from './eventStream.js';
import { isOver } from './isOver.js';

export interface WatchOptions extends Pick<RampSettings, 'api' | 'credentials' | 'headers'> {
  readonly reference: string;
  /**
   * Given and not imported: what three parts of the code import, bundlers cut out of the first, and every
   * page with a button would have a file more to load at once.
   */
  readonly backend: {
    readonly askBackend: typeof askBackend;
    readonly backendUrl: typeof backendUrl;
    readonly RampError: typeof RampError;
  };
  /** At first, and when it is another than before. */
  onAnswer(answer: CheckoutAnswer): void;
  /** It goes on all the same, unless `isLast`. `undefined` once it is well again. */
  onError(error: RampError | undefined, isLast: boolean): void;
  readonly signal: AbortSignal;
}

/** Between two questions where there is no stream. */
const POLL_MS = 5000;
/** The server says something every 15 seconds; a connection that slept may say nothing for ever. */
const SILENCE_MS = 45_000;
const MAX_PAUSE_MS = 30_000;
/** A backend with too many streams open may have room later. */
const RETRY_STREAM_MS = 60_000;

/**
 * Follows a checkout until it is over: by server-sent events where they arrive, by asking from time to
 * time where they do not. It survives sleep and lost connections, and comes back at once with the
 * connection or the page.
 */
export async function watchCheckout(options: WatchOptions): Promise<void> {
  const { signal, onAnswer, onError } = options;
  let failures = 0;
  let streamsFrom = 0;
  let lastId = '';
  let latest: CheckoutAnswer | undefined;
  const hasStream = () => performance.now() >= streamsFrom;
  const isBack = () => {
    if (failures > 1) onError(undefined, false);
    failures = 0;
  };
  const take = (answer: CheckoutAnswer) => {
    isBack();
    const isNew = JSON.stringify(answer) !== JSON.stringify(latest);
    latest = answer;
    if (isNew) onAnswer(answer);
  };
  while (!signal.aborted && !isOver(latest)) {
    let pauseMs = POLL_MS;
    try {
      if (hasStream()) {
        for await (const { id, event, data } of openStream(options, lastId, isBack)) {
          if (event !== 'checkout') continue;
          lastId = id;
          take(asAnswer(JSON.parse(data), options));
          if (isOver(latest) || signal.aborted) return;
        }
        // It was ended: by a proxy, or a server that starts anew.
        pauseMs = 1000;
      } else take(asAnswer(await ask(options), options));
    } catch (cause) {
      if (signal.aborted) return;
      const error = asError(cause, options);
      if (isFinal(error)) return onError(error, true);
      // What does not stream may answer all the same.
      if (hasStream() && error.code !== 'ERR_NETWORK')
        streamsFrom = performance.now() + RETRY_STREAM_MS;
      else if (++failures > 1) onError(error, false);
      pauseMs = failures > 0 ? Math.min(1000 * 2 ** failures, MAX_PAUSE_MS) : 0;
    }
    await pause(pauseMs, signal);
  }
}

const route = ({ api = '', reference, backend }: WatchOptions, path = '') =>
  backend.backendUrl(api, `/checkouts/${encodeURIComponent(reference)}${path}`);

const init = ({ credentials, headers }: WatchOptions): RequestInit => ({
  ...(credentials && { credentials }),
  ...(headers && { headers }),
});

function ask(options: WatchOptions): Promise<unknown> {
  const { signal, backend } = options;
  const asked = { ...init(options), signal };
  return backend.askBackend(route(options), asked, 'ERR_RESPONSE_INVALID', patient);
}

/** Asked too often, a backend answers as to a wrong request. It is one that may be asked later. */
const patient: typeof fetch = async (...asked) => {
  const response = await fetch(...asked);
  if (response.status === 429) throw new Error('429: the backend was asked too often.');
  return response;
};

async function* openStream(options: WatchOptions, lastId: string, onOpen: () => void) {
  const url = route(options, '/events');
  const headers = new Headers(options.headers);
  headers.set('Accept', 'text/event-stream');
  if (lastId) headers.set('Last-Event-ID', lastId);
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const sign = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  const end = () => silence.abort();
  options.signal.addEventListener('abort', end);
  sign();
  try {
    const response = await fetch(url, { ...init(options), headers, signal: silence.signal });
    const type = response.headers.get('Content-Type') ?? '';
    if (!response.ok || !response.body || !type.startsWith('text/event-stream'))
      throw new options.backend.RampError(
        'ERR_RESPONSE_INVALID',
        `${url} answered no event stream.`,
      );
    // It may have nothing new to say.
    onOpen();
    yield* eventStream(response.body, sign);
  } finally {
    end();
    clearTimeout(timer);
    options.signal.removeEventListener('abort', end);
  }
}

function asAnswer(body: unknown, { backend }: WatchOptions): CheckoutAnswer {
  const { progress, orders } = body as Partial<CheckoutAnswer>;
  if (typeof progress === 'string' && Array.isArray(orders)) return body as CheckoutAnswer;
  throw new backend.RampError(
    'ERR_RESPONSE_INVALID',
    'The backend answered no state of a checkout.',
  );
}

const asError = (cause: unknown, { backend }: WatchOptions): RampError =>
  cause instanceof backend.RampError
    ? cause
    : new backend.RampError('ERR_NETWORK', 'The connection to the backend was lost.', { cause });

/** The backend's own word that there is nothing to see. */
const isFinal = ({ code }: RampError): boolean =>
  code === 'ERR_REQUEST' || code === 'ERR_POLICY_REFUSED' || code === 'ERR_CONFIG_INVALID';

/** Waits, but not longer than until the connection or the page comes back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      document.removeEventListener('visibilitychange', shown);
      signal.removeEventListener('abort', end);
      done();
    };
    const shown = () => document.hidden || end();
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
    document.addEventListener('visibilitychange', shown);
    signal.addEventListener('abort', end);
  });
}
