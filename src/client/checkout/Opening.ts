import type { CheckoutOptions } from './CheckoutSettings.js';
import type { CheckoutDisplay } from './events.js';

/** One opening of the widget, as requested by one click. */
export interface Opening {
  /** The element that gets the focus when the widget is closed, usually the button. */
  readonly trigger: HTMLElement | undefined;
  /**
   * The blank window that was opened during the click. Null or undefined if none was needed, or if the browser blocked
   * it.
   */
  readonly blank: Window | null | undefined;
  readonly display: CheckoutDisplay;
  /** The options at the time of the click. */
  readonly options: CheckoutOptions;
  /**
   * The key of the purchase. Undefined if a checkout is continued and the page does not know what the checkout buys.
   */
  readonly purchaseKey?: string | undefined;
  /** The checkout that this opening replaces. */
  readonly earlier?: EarlierCheckout | undefined;
}

/** The checkout that an opening replaces. If the opening continues it, both have the same reference. */
export interface EarlierCheckout {
  readonly reference: string;
  /** Whether the earlier checkout may still get an order while the new widget is open. */
  readonly mayBePaid: boolean;
  /** Whether the opening is a new window that replaced the widget in the page. */
  readonly isMoved?: boolean | undefined;
}

/** The widget that is shown, or the link that replaces a blocked window. */
export interface ShownWidget {
  isOpen(): boolean;
  focus(): void;
  /** Removes the widget. Emits `closed`, unless the window was blocked. */
  end(): void;
  /**
   * Called on unmount. Removes the widget from the page; a window stays open, because the shopper may be paying in it.
   */
  detach(): void;
}
