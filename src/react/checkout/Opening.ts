import type { CheckoutDisplay } from '../provider/CheckoutEvent.js';
import type { CheckoutOptions } from './CheckoutOptions.js';
import type { ViewRequest } from './views/ViewRequest.js';

/** One click that opens the widget. */
export interface Opening extends Pick<ViewRequest, 'trigger' | 'container'> {
  /** The window that was opened inside the click; null or undefined when the browser blocked it. */
  readonly blank: Window | null | undefined;
  readonly display: CheckoutDisplay;
  /** The options at the time of the click. */
  readonly options: CheckoutOptions;
  /**
   * The checkout that was open in the page before this new window: the same one if it continues there. It may have
   * been paid, and its order may appear while this window is open.
   */
  earlier?: { readonly reference: string; readonly mayBePaid: boolean } | undefined;
}
