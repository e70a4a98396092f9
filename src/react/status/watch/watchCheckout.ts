import { RampError } from '../../../protocol/errors/RampError.js';
import type { CheckoutResponse } from '../../../protocol/handler/CheckoutResponse.js';
import type { BackendConnection } from '../../backend/fetchBackend.js';
import { toConnectionError } from '../../backend/responses.js';
import { isTerminal } from '../isTerminal.js';
import { createWatchPlan, type WatchPlan } from './createWatchPlan.js';
import { type PolledState, pollCheckout, streamCheckout } from './statusRequests.js';

export interface WatchOptions extends BackendConnection {
  readonly reference: string;
  /** The last known state of the checkout. `onChange` is called only with states that differ from it. */
  readonly latest?: CheckoutResponse | undefined;
  /**
   * Whether the page has closed the widget of the checkout. Then the watch polls: over HTTP/1.1 a browser opens six
   * connections to a server, so the streams of six closed checkouts would stop the site.
   */
  readonly isWidgetClosed?: boolean | undefined;
  /** Called with the first state, and then with each state that differs from the last one. */
  onChange(checkout: CheckoutResponse): void;
  /**
   * Called with an error, which ends the watch if `isLast`. Called with `undefined` when the backend responds again.
   */
  onError(error: RampError | undefined, isLast: boolean): void;
  readonly signal: AbortSignal;
}

interface Watch {
  readonly options: WatchOptions;
  readonly plan: WatchPlan;
  /** The last state that was passed to `onChange`. */
  latest?: CheckoutResponse | undefined;
  /** The result of the last poll. */
  polled?: PolledState;
  /** Aborts every request of this watch. */
  readonly all: AbortController;
  /** Aborts only the stream that is open now. */
  stream?: AbortController;
  lastId: string;
  /** How many requests have failed in a row. */
  failures: number;
  /** The messages of errors that were already warned about in development. */
  warned?: Set<string>;
  /** Ends the current pause, so that the plan is read again. */
  wakeUp(): void;
}

/** The codes that end the watch: the backend refuses the checkout to this user, or the page is misconfigured. */
const FINAL_CODE = /^ERR_(REQUEST|POLICY_REFUSED|CONFIG_INVALID)$/;

/**
 * Watches a checkout until it is terminal, an error is final, or `signal` aborts. The states come from an event stream,
 * or from polls while no stream delivers. The watch survives sleep and lost connections: it resumes as soon as the
 * connection is back, or the page is visible again.
 */
export async function watchCheckout(options: WatchOptions): Promise<void> {
  const { signal, latest } = options;
  if (signal.aborted) return;
  const all = new AbortController();
  const plan = createWatchPlan(() => performance.now());
  const watch: Watch = { options, plan, all, latest, lastId: '', failures: 0, wakeUp() {} };
  if (options.isWidgetClosed) plan.closeWidget();
  const stop = () => {
    all.abort();
    watch.wakeUp();
  };
  const onReturn = () => {
    plan.wake();
    watch.wakeUp();
  };
  // Keep references to the globals, because a test environment removes them before the last watch ends.
  const page = window;
  const content = document;
  const onVisible = () => content.hidden || onReturn();
  signal.addEventListener('abort', stop, { signal: all.signal });
  // Do not pass `{ signal: all.signal }` here. With jest-fixed-jsdom, the signal is Node's, and jsdom's event targets
  // refuse it.
  page.addEventListener('online', onReturn);
  content.addEventListener('visibilitychange', onVisible);
  try {
    if (options.api == null) {
      const message =
        'api is missing: pass the path of your ramp handler to RampProvider or useCheckoutStatus.';
      reportFinalError(watch, new RampError('ERR_CONFIG_INVALID', message));
    }
    while (!all.signal.aborted && !isTerminal(watch.latest)) {
      const next = plan.next();
      if (next === 'open') followStream(watch);
      else if (next === 'poll') pollOnce(watch);
      else if (next === 'close') {
        plan.timeOut();
        watch.stream?.abort();
      } else await pause(watch, next);
    }
  } finally {
    all.abort();
    page.removeEventListener('online', onReturn);
    content.removeEventListener('visibilitychange', onVisible);
  }
}

/** Waits until the time has passed or `watch.wakeUp()` is called. */
const pause = (watch: Watch, ms: number): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, ms);
    watch.wakeUp = () => {
      clearTimeout(timer);
      done();
    };
  });

async function pollOnce(watch: Watch): Promise<void> {
  const { plan, all, options } = watch;
  const { signal } = all;
  plan.setPolling(true);
  try {
    const known = watch.latest;
    const polled = await pollCheckout(options, watch.polled, signal);
    const { checkout } = polled;
    watch.polled = polled;
    // Another request may have ended the watch meanwhile.
    if (signal.aborted) return;
    // An event that arrived during the request is newer than this response. The exception is an event that lacks the
    // payment or the settlement of the response: a proxy held that event back.
    if (watch.latest === known || isOlder(watch.latest as CheckoutResponse, checkout))
      reportStatus(watch, checkout);
    else reportRecovery(watch);
  } catch (cause) {
    if (signal.aborted) return;
    const error = toConnectionError(cause);
    if (FINAL_CODE.test(error.code)) reportFinalError(watch, error);
    else {
      plan.failPoll(watch.failures + 1);
      reportFailure(watch, error);
    }
  } finally {
    plan.setPolling(false);
    watch.wakeUp();
  }
}

/** Opens an event stream and reports its states until it ends, fails or is closed. */
async function followStream(watch: Watch): Promise<void> {
  const { all, lastId, options, plan } = watch;
  const controller = new AbortController();
  const { signal } = controller;
  const abort = () => controller.abort();
  watch.stream = controller;
  // Aborting `controller` also removes this listener.
  all.signal.addEventListener('abort', abort, { signal });
  plan.open();
  const onOpen = () => reportRecovery(watch);
  // A stream that resumes after `lastId` sends an event immediately only if the page has missed one. Otherwise there
  // may be no event for a long time, so the first bytes already count as proof that the stream delivers.
  const onBytes = () => plan.receive(lastId !== '');
  try {
    for await (const event of streamCheckout(options, lastId, signal, onOpen, onBytes)) {
      if (signal.aborted) return;
      plan.receive(true);
      watch.lastId = event.id;
      reportStatus(watch, event.checkout);
      if (isTerminal(event.checkout)) break;
      watch.wakeUp();
    }
    if (!signal.aborted) plan.end();
  } catch (cause) {
    // If this page closed the stream, the plan has recorded that already.
    if (signal.aborted) return;
    const error = toConnectionError(cause);
    if (error.code === 'ERR_NETWORK') {
      plan.fail();
      reportFailure(watch, error);
    } else plan.refuse(error.status === 404);
  } finally {
    abort();
    watch.wakeUp();
  }
}

/** Reports a state of the checkout if it differs from the last one. Ignores a state that is older. */
function reportStatus(watch: Watch, checkout: CheckoutResponse): void {
  reportRecovery(watch);
  watch.plan.update();
  if (isOlder(checkout, watch.latest)) return;
  const isNew = JSON.stringify(checkout) !== JSON.stringify(watch.latest);
  watch.latest = checkout;
  if (isNew) watch.options.onChange(checkout);
}

/** Reports that the backend responds again, if a failure was reported. */
function reportRecovery(watch: Watch): void {
  const wasReported = watch.failures > 1;
  watch.failures = 0;
  if (wasReported) watch.options.onError(undefined, false);
}

/** Counts a failure. The first in a row is retried silently; the error of each further one is reported. */
function reportFailure(watch: Watch, error: RampError): void {
  const isRepeated = ++watch.failures > 1;
  if (isRepeated) watch.options.onError(error, false);
  if (process.env.NODE_ENV !== 'production' && (isRepeated || error.code !== 'ERR_NETWORK'))
    warnOnce(watch, error);
}

/** Ends the watch, and reports the error that ended it. */
function reportFinalError(watch: Watch, error: RampError): void {
  watch.all.abort();
  watch.options.onError(error, true);
  if (process.env.NODE_ENV !== 'production') warnOnce(watch, error);
}

/** Warns in development about each kind of error once. */
function warnOnce(watch: Watch, error: RampError): void {
  watch.warned ??= new Set();
  if (watch.warned.has(error.message)) return;
  watch.warned.add(error.message);
  // The callers check NODE_ENV already. Check it here too, because webpack emits a chunk for an import() even in a
  // function that is never called.
  if (process.env.NODE_ENV !== 'production')
    import('../../dev/warnInDev.js').then(({ warnInDev }) => warnInDev(error, watch.options));
}

/**
 * Returns whether `next` is older than `known`: it lacks the payment, or the settlement of an NFT. A slow proxy or a
 * lagging replica may return such a state.
 */
const isOlder = (next: CheckoutResponse, known: CheckoutResponse | undefined) =>
  (/^(finished|settle)/.test(known?.progress ?? '') &&
    /^(waiting|unconfirmed|expired)$/.test(next.progress)) ||
  (known?.progress === 'settlement' && next.progress === 'finished');
