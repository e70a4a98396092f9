import { toRampError } from '../../backend/responses.js';
import { isTerminal } from './progress.js';
import { reportFailure, reportRecovery, reportStatus } from './reportStatus.js';
import { streamCheckout } from './statusRequests.js';
import type { Watch } from './Watch.js';

/** Opens an event stream and reports its states until it ends, fails or is closed. */
export async function followStream(watch: Watch): Promise<void> {
  const { all, lastId, options, plan } = watch;
  const controller = new AbortController();
  const { signal } = controller;
  const abort = () => controller.abort();
  watch.stream = controller;
  // Removed by abort() itself.
  all.signal.addEventListener('abort', abort, { signal });
  plan.open();
  const onOpen = () => reportRecovery(watch);
  // A stream that resumes has no newer event, so its first byte shows that the state is known.
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
    // A stream that was closed has been recorded already.
    if (signal.aborted) return;
    const error = toRampError(cause, 'ERR_NETWORK', 'The connection to the backend was lost.');
    if (error.code === 'ERR_NETWORK') {
      plan.fail();
      reportFailure(watch, error);
    } else plan.refuse();
  } finally {
    abort();
    watch.wakeUp();
  }
}
