import type { CheckoutDisplay } from '../provider/CheckoutEvent.js';
import type { CheckoutOptions } from './CheckoutOptions.js';
import type { ViewRequest } from './views/ViewRequest.js';

/** One click that opens the widget. */
export interface Opening extends Pick<ViewRequest, 'trigger' | 'container' | 'blank'> {
  readonly display: CheckoutDisplay;
  /** The options at the time of the click. */
  readonly options: CheckoutOptions;
  /** The checkout continues in a new window, so it is followed already. */
  readonly isResumed?: true;
}
