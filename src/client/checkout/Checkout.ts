import type { BackendSettings } from '../backend/fetchBackend.js';
import type { CheckoutOptions } from './CheckoutSettings.js';
import type { CheckoutChange, CheckoutState } from './checkoutStates.js';
import type { CheckoutDisplay } from './events.js';
import type { EarlierCheckout, Opening } from './Opening.js';
import type { Signatures } from './signatures.js';

/** How a click opens the widget. */
export interface OpenRequest {
  /** @default the option `display` */
  readonly display?: CheckoutDisplay | 'auto' | undefined;
  /** The element that gets the focus when the widget closes. @default the last call's `trigger` */
  readonly trigger?: HTMLElement | undefined;
}

/**
 * One button's checkout and its state, independent of React. `createCheckout.ts` contains only the code that must be
 * loaded before a click. The rest is in `openCheckout.ts`, which loads when the browser is idle after the mount, or
 * earlier if the shopper hovers over the button, focuses it or clicks it.
 */
export interface Checkout {
  /** The options of the latest render. */
  options: CheckoutOptions;
  /** The element that an inline widget is placed in, while it is mounted. */
  container: HTMLElement | null;
  /** The reference of a checkout that was opened before, and that each click continues. */
  readonly continues: string | undefined;
  readonly signatures: Signatures;
  subscribe(listener: () => void): () => void;
  getSnapshot(): CheckoutState;
  /** Opens the widget, or focuses it if it is open. Call it during the click, so that the browser allows a window. */
  open(request?: OpenRequest, earlier?: EarlierCheckout): void;
  /** Reopens the widget of a closed checkout, unless the checkout is paid. Call it during the click. */
  reopen(closed: Opening, reference: string): void;
  /** Closes the widget, aborts a pending opening, or removes the link that replaces a blocked window. */
  close(): void;
  /** Loads the rest of the code, and fetches a signature once the pointer has rested on the button. */
  prefetch(event?: Pick<Event, 'type' | 'currentTarget'>): void;
  /**
   * Called when the button unmounts. Aborts a pending opening and removes the widget, but leaves a window open. The
   * checkout stays usable, because StrictMode mounts the button again.
   */
  dispose(): void;
  /** Applies a change to the state, according to the table in `checkoutStates.ts`. */
  change(change: CheckoutChange): void;
  /** Returns whether an opening is the one that is pending or shown. */
  isCurrent(opening: Opening): boolean;
  /** Returns the backend with the settings of the latest render, because the page may have renewed a token. */
  getBackend(api: string): BackendSettings;
  /** Returns the signal that aborts when the button unmounts. Mounting again creates a new signal. */
  getUnmountSignal(): AbortSignal;
}
