import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';

/** The notice beside the button about a checkout that is open in another window, or that may have been paid. */
export interface CheckoutNotice {
  /**
   * `open`: the checkout is open in another window. `hidden`: it is open in a window that the page cannot see, or the
   * shopper has closed that window. `paid`: the backend has an order. `closed`: the widget was closed after being open
   * long enough for a payment. After `resume`: `ended` if the checkout cannot continue, `unknown` if the backend could
   * not tell whether it is paid.
   */
  readonly reason: 'open' | 'hidden' | 'paid' | 'closed' | 'ended' | 'unknown';
  /** The checkout's reference, followed by that of the earlier checkout if this one replaced it. */
  readonly references: readonly string[];
  /** Whether the second window may still be open; `undefined` if the checkout was not moved to a second window. */
  readonly secondWindow: 'open' | 'closed' | undefined;
  /** The last known state of the checkout, if it has an order. */
  readonly checkout?: CheckoutResponse | undefined;
  /** True if screen readers have already announced the state of `checkout`. */
  readonly isAnnounced?: boolean | undefined;
  /** The element that opened the checkout, usually the button. It gets the focus when the checkout is closed. */
  readonly trigger?: HTMLElement | undefined;
  /** Moves the focus to the window of the checkout. Set while that window is open. */
  readonly showWindow?: (() => void) | undefined;
  /** Shows the checkout again. Call it inside a click. Set if the checkout was closed and may still be unpaid. */
  readonly resume?: (() => void) | undefined;
  /**
   * Opens another checkout for the same purchase. Call it inside a click. Set if the shopper has clicked a button while
   * this checkout may be open or paid, so that the notice asks first.
   */
  readonly startNew?: (() => void) | undefined;
  /**
   * Calls `onChange` with the state of each checkout in the notice until it is paid. Returns a function that stops the
   * calls. Undefined if no backend knows the checkouts, or if the code that shows the window updates the notice.
   */
  readonly follow?: ((onChange: (checkout: CheckoutResponse) => void) => () => void) | undefined;
}
