import type { CheckoutResponse } from '../../../protocol/handler/CheckoutResponse.js';
import type { WatchPlan } from './createWatchPlan.js';
import type { WatchOptions } from './WatchOptions.js';

/** A running watch of one checkout. */
export interface Watch {
  readonly options: WatchOptions;
  readonly plan: WatchPlan;
  /** The last reported state. */
  latest?: CheckoutResponse;
  /** Aborts every request of this watch. */
  readonly all: AbortController;
  /** Aborts the present stream. */
  stream?: AbortController;
  lastId: string;
  /** Consecutive requests that did not reach the backend. */
  failures: number;
  /** The messages of errors that were already warned about in development. */
  warned?: Set<string>;
  /** Ends the present pause. */
  wakeUp(): void;
}
