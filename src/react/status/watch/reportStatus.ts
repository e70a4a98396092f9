import type { RampError } from '../../../protocol/errors/RampError.js';
import type { CheckoutResponse } from '../../../protocol/handler/CheckoutResponse.js';
import { losesPayment } from './progress.js';
import type { Watch } from './Watch.js';

/** Reports a state of the checkout when it differs from the last one, and does not lose a payment. */
export function reportStatus(watch: Watch, checkout: CheckoutResponse): void {
  reportRecovery(watch);
  watch.plan.update();
  if (losesPayment(watch.latest, checkout)) return;
  const isNew = JSON.stringify(checkout) !== JSON.stringify(watch.latest);
  watch.latest = checkout;
  if (isNew) watch.options.onChange(checkout);
}

/** Reports that the backend responds again, unless no failure was reported. */
export function reportRecovery(watch: Watch): void {
  const wasReported = watch.failures > 1;
  watch.failures = 0;
  if (wasReported) watch.options.onError(undefined, false);
}

/** Counts a failure and reports its error; the first one is retried silently. */
export function reportFailure(watch: Watch, error: RampError): void {
  const isRepeated = ++watch.failures > 1;
  if (isRepeated) watch.options.onError(error, false);
  if (process.env.NODE_ENV !== 'production' && (isRepeated || error.code !== 'ERR_NETWORK'))
    warnOnce(watch, error);
}

/** Reports an error that ends the watch. */
export function reportFinalError(watch: Watch, error: RampError): void {
  watch.all.abort();
  watch.options.onError(error, true);
  if (process.env.NODE_ENV !== 'production') warnOnce(watch, error);
}

/** Warns in development about each kind of error once. */
function warnOnce(watch: Watch, error: RampError): void {
  watch.warned ??= new Set();
  if (watch.warned.has(error.message)) return;
  watch.warned.add(error.message);
  // Checked here too: webpack emits a chunk for an import() in a function that is never called.
  if (process.env.NODE_ENV !== 'production')
    import('../../dev/warnInDev.js').then(({ warnInDev }) => warnInDev(error, watch.options));
}
