import type { BackendConnection } from '../backend/fetchBackend.js';
import type { CheckoutDisplay } from '../provider/CheckoutEvent.js';
import type { CheckoutOptions } from './CheckoutOptions.js';
import type { CheckoutState } from './CheckoutState.js';
import type { SignatureCache } from './createSignatureCache.js';
import type { Opening } from './Opening.js';

/** The shown widget, or the link to a blocked one. */
interface CheckoutView {
  isOpen(): boolean;
  focus(): void;
  /** Removes the view and emits `closed`. */
  end(): void;
  /** Called on unmount. Removes a dialog; a window stays open, because the shopper may be paying in it. */
  detach(): void;
}

/**
 * The checkouts of one button, independent of React. It holds only the code that a click cannot wait for; the rest
 * is in `openCheckout.ts`, loaded on intent.
 */
export interface CheckoutSession {
  readonly request: BackendConnection['request'];
  readonly signatures: SignatureCache;
  /** The options of the latest render. */
  options: CheckoutOptions;
  /** The element that an inline widget is placed in, while it is mounted. */
  container?: HTMLElement | null;
  inlineRef(container: HTMLElement | null): void;
  /** The opening that is pending or shown. Results of an older opening are ignored. */
  opening?: Opening | undefined;
  view?: CheckoutView | undefined;
  /** Aborts the watches that notify the page of status changes. */
  watches?: AbortController | undefined;
  setState(state: CheckoutState): void;
  /** The pending prefetch of a signature. It is cancelled when this changes. */
  intent?: object | undefined;
  /** Loads the rest of the code, and fetches a signature if the pointer rests. Fails silently. */
  prefetch(event?: Pick<Event, 'type' | 'currentTarget'>): void;
  open(display?: CheckoutDisplay, trigger?: HTMLElement): Promise<void> | undefined;
  /** Aborts a pending opening and detaches the view. StrictMode uses the session again afterwards. */
  dispose(): void;
}
