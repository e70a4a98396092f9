import type { CheckoutResponse } from '../../../protocol/handler/CheckoutResponse.js';
import { toRampError } from '../../backend/responses.js';
import { losesPayment } from './progress.js';
import { reportFailure, reportFinalError, reportRecovery, reportStatus } from './reportStatus.js';
import { pollCheckout } from './statusRequests.js';
import type { Watch } from './Watch.js';

/** The codes of a backend that refuses the checkout to this user, and of a misconfigured page. */
const FINAL_CODE = /^ERR_(REQUEST|POLICY_REFUSED|CONFIG_INVALID)$/;

/** Requests the state of the checkout once, and reports it. */
export async function pollOnce(watch: Watch): Promise<void> {
  const { plan, all, options } = watch;
  const { signal } = all;
  plan.setPolling(true);
  try {
    const known = watch.latest;
    const checkout = await pollCheckout(options, signal);
    // Another request may have ended the watch meanwhile.
    if (signal.aborted) return;
    // An event that came meanwhile is newer, unless a proxy buffered it.
    if (watch.latest === known || losesPayment(checkout, watch.latest as CheckoutResponse))
      reportStatus(watch, checkout);
    else reportRecovery(watch);
  } catch (cause) {
    if (signal.aborted) return;
    const error = toRampError(cause, 'ERR_NETWORK', 'The connection to the backend was lost.');
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
