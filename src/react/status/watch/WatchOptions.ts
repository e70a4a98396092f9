import type { RampError } from '../../../protocol/errors/RampError.js';
import type { CheckoutResponse } from '../../../protocol/handler/CheckoutResponse.js';
import type { BackendConnection } from '../../backend/fetchBackend.js';

/** The options of {@link watchCheckout}. */
export interface WatchOptions extends BackendConnection {
  readonly reference: string;
  /** Called with the first state and with each different one. */
  onChange(checkout: CheckoutResponse): void;
  /** Called with an error; the watch continues unless `isLast`. Called with `undefined` after a recovery. */
  onError(error: RampError | undefined, isLast: boolean): void;
  readonly signal: AbortSignal;
}
