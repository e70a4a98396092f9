import type { RampError } from '../../../protocol/errors/RampError.js';
import type { CheckoutResponse } from '../../../protocol/handler/CheckoutResponse.js';
import type { buildBackendUrl, requestBackend } from '../../backend/requestBackend.js';
import type { RampSettings } from '../../checkout/CheckoutOptions.js';
import { createWatchPlan } from './createWatchPlan.js';
import { isTerminal } from './isTerminal.js';
import { pollCheckout, streamCheckout } from './statusRequests.js';

export interface WatchOptions extends Pick<RampSettings, 'api' | 'credentials' | 'headers'> {
  readonly reference: string;
  /**
   * Given and not imported: what three parts of the code import, bundlers cut out of the first, and every
   * page with a button would have a file more to load at once.
   */
  readonly backend: {
    readonly requestBackend: typeof requestBackend;
    readonly buildBackendUrl: typeof buildBackendUrl;
    readonly RampError: typeof RampError;
  };
  /** Is called with the first state and with each different one. */
  onChange(answer: CheckoutResponse): void;
  /** Is called with an error; watching goes on unless `isLast`. `undefined` after it has recovered. */
  onError(error: RampError | undefined, isLast: boolean): void;
  readonly signal: AbortSignal;
}

/**
 * Watches a checkout until it is over: by server-sent events, and by polling while no stream delivers. It
 * survives sleep and lost connections, and resumes at once when the connection or the page is back.
 */
export async function watchCheckout(options: WatchOptions): Promise<void> {
  const { signal, onChange, onError } = options;
  const plan = createWatchPlan(performance.now());
  /** Aborts every request of this watch. */
  const all = new AbortController();
  let stream = new AbortController();
  let lastId = '';
  let latest: CheckoutResponse | undefined;
  let wakeUp = () => {};

  const recover = () => {
    if (plan.resetFailures()) onError(undefined, false);
  };
  const handleResponse = (answer: CheckoutResponse) => {
    recover();
    plan.stateReceived(performance.now());
    const isNew = JSON.stringify(answer) !== JSON.stringify(latest);
    latest = answer;
    if (isNew) onChange(answer);
  };
  const handleFailure = (error: RampError, failures: number) => {
    if (failures > 1) onError(error, false);
    if (failures > 1 || error.code !== 'ERR_NETWORK') warn(error);
  };
  const warned = new Set<string>();
  /** Warns in development about each kind of error once. */
  const warn = (error: RampError) => {
    if (process.env.NODE_ENV === 'production' || warned.has(error.message)) return;
    warned.add(error.message);
    import('../../dev/warnInDev.js').then(({ warnInDev }) => warnInDev(error, options));
  };

  async function followStream(): Promise<void> {
    const mine = new AbortController();
    const abort = () => mine.abort();
    stream = mine;
    all.signal.addEventListener('abort', abort);
    plan.streamOpened(performance.now());
    const resumes = lastId !== '';
    const heard = () => plan.bytesReceived(performance.now(), resumes);
    try {
      for await (const { id, answer } of streamCheckout(
        options,
        lastId,
        mine.signal,
        recover,
        heard,
      )) {
        if (mine.signal.aborted) return;
        plan.bytesReceived(performance.now(), true);
        lastId = id;
        handleResponse(answer);
        if (isTerminal(latest)) break;
        wakeUp();
      }
      if (!mine.signal.aborted) plan.streamEnded(performance.now());
    } catch (cause) {
      // A stream that was closed has been recorded already.
      if (mine.signal.aborted) return;
      const error = toError(cause, options);
      if (error.code === 'ERR_NETWORK') handleFailure(error, plan.streamFailed(performance.now()));
      else plan.streamRefused(performance.now());
    } finally {
      abort();
      all.signal.removeEventListener('abort', abort);
      wakeUp();
    }
  }

  async function pollOnce(): Promise<void> {
    plan.pollStarted();
    try {
      const answer = await pollCheckout(options, all.signal);
      // Another request has ended the watch meanwhile.
      if (!all.signal.aborted) handleResponse(answer);
    } catch (cause) {
      if (all.signal.aborted) return;
      const error = toError(cause, options);
      if (isFinal(error)) {
        all.abort();
        onError(error, true);
        warn(error);
      } else handleFailure(error, plan.pollFailed(performance.now()));
    } finally {
      plan.pollEnded();
      wakeUp();
    }
  }

  const stop = () => {
    all.abort();
    wakeUp();
  };
  const onVisible = () => {
    if (document.hidden) return;
    plan.wake(performance.now());
    wakeUp();
  };
  const onOnline = () => {
    plan.wake(performance.now());
    wakeUp();
  };
  signal.addEventListener('abort', stop);
  window.addEventListener('online', onOnline);
  document.addEventListener('visibilitychange', onVisible);
  try {
    while (!signal.aborted && !all.signal.aborted && !isTerminal(latest)) {
      const next = plan.next(performance.now());
      if (next === 'open') followStream();
      else if (next === 'poll') pollOnce();
      else if (next === 'close') {
        plan.streamTimedOut(performance.now());
        stream.abort();
      } else
        await new Promise<void>((done) => {
          const timer = setTimeout(done, next);
          wakeUp = () => {
            clearTimeout(timer);
            done();
          };
        });
    }
  } finally {
    all.abort();
    signal.removeEventListener('abort', stop);
    window.removeEventListener('online', onOnline);
    document.removeEventListener('visibilitychange', onVisible);
  }
}

const toError = (cause: unknown, { backend }: WatchOptions): RampError =>
  cause instanceof backend.RampError
    ? cause
    : new backend.RampError('ERR_NETWORK', 'The connection to the backend was lost.', { cause });

/** The backend's own word that there is nothing to see. */
const isFinal = ({ code }: RampError): boolean =>
  code === 'ERR_REQUEST' || code === 'ERR_POLICY_REFUSED' || code === 'ERR_CONFIG_INVALID';
