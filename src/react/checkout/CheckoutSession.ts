import type { CheckoutMessages } from '../../messages/CheckoutMessages.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { WatchOptions } from '../status/watch/watchCheckout.js';
import type {
  CheckoutDisplay,
  CheckoutOptions,
  CheckoutState,
  SignedCheckout,
} from './CheckoutOptions.js';

/** One click that wants the widget. */
export interface Opening {
  readonly display: CheckoutDisplay;
  /** As they were at the click. */
  readonly options: CheckoutOptions;
  /** Gets the focus back. */
  readonly trigger: HTMLElement | undefined;
  /** Where an inline widget goes. */
  readonly container: HTMLElement | null | undefined;
  /** The window that was opened inside the click; null when the browser blocked it. */
  readonly blank: Window | null | undefined;
  /** A checkout that was open goes on in a new window, so it is followed already. */
  readonly isResumed?: true;
}

/** What a view is given, and what it says. */
export interface ViewRequest extends Opening {
  readonly url: string;
  readonly messages: CheckoutMessages;
  /** For how long the signature in the address may be used. */
  readonly signatureTtlMs: number;
  onLoaded(): void;
  /** It did not appear, as far as can be seen. */
  onLoadError(error: RampError): void;
  /** It is gone. `tells`: the shopper closed it, as far as can be seen. */
  onEnd(tells?: boolean): void;
  /** @param place - Holds the widget's frame; a question may be shown over it. */
  openNewWindow(place: HTMLElement): void;
}

/** A view as it is made. It tells nothing when it is taken away. */
export interface ViewHandle {
  isOpen(): boolean;
  focus(): void;
  remove(): void;
  /** Stops watching it. */
  detach(): void;
}

/** A widget that is shown, or the link to one that was blocked. */
interface CheckoutView {
  isOpen(): boolean;
  focus(): void;
  /** Takes it away and tells so. */
  end(): void;
  /** Lets go of it on unmount. A dialog goes away; a window stays, somebody may be paying in it. */
  detach(): void;
}

/**
 * The checkouts of one button, free of React. Only what a click cannot wait for is here; the rest
 * is in `openCheckout.ts`, loaded on intent.
 */
export interface CheckoutSession {
  /**
   * Given to the lazy part, which does not import it: esbuild would move it from the page's first file
   * to one more file, which the page loads at once too.
   */
  readonly backend: Omit<WatchOptions['backend'], 'RampError'>;
  /** The options of the latest render. */
  options: CheckoutOptions;
  /** Where an inline widget goes, while it is there. */
  container?: HTMLElement | null;
  setContainer(container: HTMLElement | null): void;
  /** What is being opened or shown. What belongs to an older opening no longer counts. */
  opening?: Opening | undefined;
  view?: CheckoutView | undefined;
  /** Ends, on unmount, whatever tells the page how far its checkouts are. */
  statusController?: AbortController | undefined;
  setState(state: CheckoutState): void;
  /** The signature for these options: the one that is kept or under way, or a new one. */
  requestSignature(options: CheckoutOptions): Promise<SignedCheckout> | undefined;
  /** For how long what is kept may still be used. */
  signatureTtlMs(): number;
  /** Drops the signature that is kept, and aborts one under way. */
  discardSignature(): void;
  /** Fetches a signature and the rest of the code ahead of a click. Fails silently. */
  prefetch(): void;
  open(display?: CheckoutDisplay, trigger?: HTMLElement): Promise<void> | undefined;
  /** Ends what is under way. It can be used again afterwards, as StrictMode asks. */
  dispose(): void;
}
