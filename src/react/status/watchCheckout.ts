import type { CheckoutAnswer } from '../../protocol/handler-answers.js';
import type { RampError } from '../../protocol/ramp-error.js';
import type { askBackend, backendUrl } from '../askBackend.js';
import type { RampSettings } from '../checkout-types.js';
import { createWatchPlan } from './createWatchPlan.js';
import { isOver } from './isOver.js';
import { openStream, poll } from './statusRequests.js';

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
  /** Is called with the first state and with each different one. */
  onAnswer(answer: CheckoutAnswer): void;
  /** Is called with an error; watching goes on unless `isLast`. `undefined` after it has recovered. */
  onError(error: RampError | undefined, isLast: boolean): void;
  readonly signal: AbortSignal;
}

/**
 * Watches a checkout until it is over: by server-sent events, and by polling while no stream delivers. It
 * survives sleep and lost connections, and resumes at once when the connection or the page is back.
 */
export async function watchCheckout(options: WatchOptions): Promise<void> {
  const { signal, onAnswer, onError } = options;
  const plan = createWatchPlan(performance.now());
  /** Aborts every request of this watch. */
  const all = new AbortController();
  let stream = new AbortController();
  let lastId = '';
  let latest: CheckoutAnswer | undefined;
  let wakeUp = () => {};

  const recover = () => {
    if (plan.recovered()) onError(undefined, false);
  };
  const take = (answer: CheckoutAnswer) => {
    recover();
    plan.answered(performance.now());
    const isNew = JSON.stringify(answer) !== JSON.stringify(latest);
    latest = answer;
    if (isNew) onAnswer(answer);
  };
  const report = (error: RampError, failures: number) => {
    if (failures > 1) onError(error, false);
    if (failures > 1 || error.code !== 'ERR_NETWORK') warn(error);
  };
  const warned = new Set<string>();
  /** Warns in development about each kind of error once. */
  const warn = (error: RampError) => {
    if (process.env.NODE_ENV === 'production' || warned.has(error.message)) return;
    warned.add(error.message);
    import('../sayError.js').then(({ sayError }) => sayError(error, options));
  };

  async function followStream(): Promise<void> {
    const mine = new AbortController();
    const abort = () => mine.abort();
    stream = mine;
    all.signal.addEventListener('abort', abort);
    plan.opened(performance.now());
    const resumes = lastId !== '';
    const heard = () => plan.heard(performance.now(), resumes);
    try {
      for await (const { id, answer } of openStream(options, lastId, mine.signal, recover, heard)) {
        if (mine.signal.aborted) return;
        plan.heard(performance.now(), true);
        lastId = id;
        take(answer);
        if (isOver(latest)) break;
        wakeUp();
      }
      if (!mine.signal.aborted) plan.ended(performance.now());
    } catch (cause) {
      // A stream that was closed has been recorded already.
      if (mine.signal.aborted) return;
      const error = toError(cause, options);
      if (error.code === 'ERR_NETWORK') report(error, plan.failed(performance.now()));
      else plan.refused(performance.now());
    } finally {
      abort();
      all.signal.removeEventListener('abort', abort);
      wakeUp();
    }
  }

  async function pollOnce(): Promise<void> {
    plan.polling();
    try {
      const answer = await poll(options, all.signal);
      // Another request has ended the watch meanwhile.
      if (!all.signal.aborted) take(answer);
    } catch (cause) {
      if (all.signal.aborted) return;
      const error = toError(cause, options);
      if (isFinal(error)) {
        all.abort();
        onError(error, true);
        warn(error);
      } else report(error, plan.pollFailed(performance.now()));
    } finally {
      plan.polled();
      wakeUp();
    }
  }

  const end = () => {
    all.abort();
    wakeUp();
  };
  const wake = () => {
    if (document.hidden) return;
    plan.wake(performance.now());
    wakeUp();
  };
  const online = () => {
    plan.wake(performance.now());
    wakeUp();
  };
  signal.addEventListener('abort', end);
  window.addEventListener('online', online);
  document.addEventListener('visibilitychange', wake);
  try {
    while (!signal.aborted && !all.signal.aborted && !isOver(latest)) {
      const next = plan.next(performance.now());
      if (next === 'open') followStream();
      else if (next === 'poll') pollOnce();
      else if (next === 'close') {
        plan.closed(performance.now());
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
    signal.removeEventListener('abort', end);
    window.removeEventListener('online', online);
    document.removeEventListener('visibilitychange', wake);
  }
}

const toError = (cause: unknown, { backend }: WatchOptions): RampError =>
  cause instanceof backend.RampError
    ? cause
    : new backend.RampError('ERR_NETWORK', 'The connection to the backend was lost.', { cause });

/** The backend's own word that there is nothing to see. */
const isFinal = ({ code }: RampError): boolean =>
  code === 'ERR_REQUEST' || code === 'ERR_POLICY_REFUSED' || code === 'ERR_CONFIG_INVALID';
