import type { RampError } from '../../../protocol/errors/RampError.js';
import type { CheckoutResponse } from '../../../protocol/handler/CheckoutResponse.js';
import type { BackendSettings } from '../../backend/fetchBackend.js';

/** The options of {@link useCheckoutStatus}. */
export interface CheckoutStatusOptions extends BackendSettings {}

/** The result of {@link useCheckoutStatus}. */
export interface CheckoutStatusState {
  /** The last known state. It is kept while the connection is lost. */
  readonly checkout: CheckoutResponse | undefined;
  /** `loading` until the first response; `error` while the backend cannot be reached, or after a final error. */
  readonly status: 'idle' | 'loading' | 'known' | 'error';
  /** The error of the last request, with the status `error`. */
  readonly error: RampError | undefined;
  /** Requests the state again immediately, also after a final error. The last known state is kept. */
  readonly retry: () => void;
}
