import { RampError } from '../../../protocol/errors/RampError.js';
import { createWatchPlan } from './createWatchPlan.js';
import { followStream } from './followStream.js';
import { pollOnce } from './pollOnce.js';
import { isTerminal } from './progress.js';
import { reportFinalError } from './reportStatus.js';
import type { Watch } from './Watch.js';
import type { WatchOptions } from './WatchOptions.js';

/**
 * Watches a checkout until it is terminal: by server-sent events, and by polling while no stream delivers. It
 * survives sleep and lost connections, and resumes as soon as the connection or the page is back.
 */
export async function watchCheckout(options: WatchOptions): Promise<void> {
  const { signal } = options;
  if (signal.aborted) return;
  const all = new AbortController();
  const plan = createWatchPlan(() => performance.now());
  const watch: Watch = { options, plan, all, lastId: '', failures: 0, wakeUp() {} };
  const stop = () => {
    all.abort();
    watch.wakeUp();
  };
  const onReturn = () => {
    plan.wake();
    watch.wakeUp();
  };
  // Kept, because a test environment removes the globals before the last watch ends.
  const page = window;
  const content = document;
  const onVisible = () => content.hidden || onReturn();
  signal.addEventListener('abort', stop, { signal: all.signal });
  // Without that signal: jest-fixed-jsdom combines the AbortController of Node with the events of jsdom, which refuse it.
  page.addEventListener('online', onReturn);
  content.addEventListener('visibilitychange', onVisible);
  try {
    if (typeof fetch === 'undefined') {
      const message = 'fetch is undefined in this environment.';
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

/** Waits until the time is over or `watch.wakeUp()` is called. */
const pause = (watch: Watch, ms: number): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, ms);
    watch.wakeUp = () => {
      clearTimeout(timer);
      done();
    };
  });
