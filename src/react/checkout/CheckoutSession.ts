import type { BackendConnection } from '../backend/BackendConnection.js';
import type { CheckoutDisplay } from '../provider/CheckoutEvent.js';
import type { CheckoutOptions } from './CheckoutOptions.js';
import type { CheckoutState } from './CheckoutState.js';
import type { SignatureCache } from './createSignatureCache.js';
import type { Opening } from './Opening.js';

/** A widget that is shown, or the link to one that was blocked. */
interface CheckoutView {
  isOpen(): boolean;
  focus(): void;
  /** Removes it and emits that it closed. */
  end(): void;
  /** Stops watching it on unmount. A dialog is removed; a window stays, because somebody may be paying in it. */
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
  /** The opening that is under way or shown. Results of an older opening are ignored. */
  opening?: Opening | undefined;
  view?: CheckoutView | undefined;
  /** Aborts the watches that notify the page of status changes. */
  watches?: AbortController | undefined;
  setState(state: CheckoutState): void;
  /** Fetches a signature and the rest of the code ahead of a click. Fails silently. */
  prefetch(): void;
  open(display?: CheckoutDisplay, trigger?: HTMLElement): Promise<void> | undefined;
  /** Ends what is under way. The session can be used again afterwards, as StrictMode requires. */
  dispose(): void;
}
