import type { RampError } from '../../protocol/errors/RampError.js';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';

/** What `useCheckoutStatus` returns, and what `CheckoutStatus` passes to its `render` function. */
export interface CheckoutStatusState {
  /** The last known state of the checkout. It is kept while requests fail. */
  readonly data: CheckoutResponse | undefined;
  /**
   * `idle` without a reference, `loading` until the first response, then `success`. `error` while requests fail, or
   * after an error that is not retried.
   */
  readonly status: 'idle' | 'loading' | 'success' | 'error';
  /** The error of the last request. Set if the status is `error`. */
  readonly error: RampError | undefined;
  /** Requests the state again immediately, even after an error that is not retried. The last known state is kept. */
  readonly retry: () => void;
}
