import type { CheckoutMessages } from '../../messages/CheckoutMessages.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';

/** The permissions of the widget's frame. */
export interface FrameOptions {
  /**
   * The features that the widget's frame may use. Append `; publickey-credentials-get *` for a service whose
   * users sign in with passkeys. The `*` keeps a feature when the service redirects the frame to another origin.
   *
   * @default 'payment *; camera *; microphone *; clipboard-write *'
   */
  readonly allow?: string | undefined;
  /**
   * The attribute `sandbox` of the widget's frame. `''` allows nothing, and `false` removes the attribute.
   *
   * @default scripts, the widget's own origin, forms, popups, downloads and access to its own cookies; never navigation
   * of the page
   */
  readonly sandbox?: string | false | undefined;
  /** How much of the page's URL the frame's request reveals. @default 'strict-origin' */
  readonly referrerPolicy?: ReferrerPolicy | undefined;
}

/** Where a checkout continues: in a new window, or in a new frame in the same place. */
export type MoveTarget = 'window' | 'frame';

export interface ViewRequest {
  readonly url: string;
  readonly messages: CheckoutMessages;
  readonly options: FrameOptions;
  /** The element that gets the focus when the view is removed, usually the button. */
  readonly trigger: HTMLElement | undefined;
  /** The element that an inline widget is placed in. */
  readonly container: HTMLElement | null | undefined;
  /**
   * The blank window that was opened during the click. Null or undefined if none was needed, or if the browser blocked
   * it.
   */
  readonly blank: Window | null | undefined;
  /** How long the signature in the URL may still be used, in milliseconds. */
  readonly signatureTtlMs: number;
  onLoaded(): void;
  /** Called when the page observes that the widget failed to load. */
  onLoadError(error: RampError): void;
  /** Called when the view is gone, or when the page can no longer see it (`isHidden`). */
  onEnd(): void;
  /**
   * Called when the shopper wants to continue in a new window, or to load the frame again.
   *
   * @param container - The element with the widget's frame. A question may be shown over the frame.
   */
  move(container: HTMLElement, target: MoveTarget): void;
}

export interface ViewHandle {
  isOpen(): boolean;
  /**
   * Returns whether the view may be open in a window that this page cannot see. Missing if the page always sees the
   * view.
   */
  isHidden?(): boolean;
  focus(): void;
  /** Removes the view, or closes its window. */
  remove(): void;
  /**
   * Shows the state of a checkout that has an order, with the way back to the shop. Missing if the widget is not shown
   * in this page.
   *
   * @param isLive - False if the page announces this state to screen readers elsewhere.
   */
  showOutcome?(checkout: CheckoutResponse, isLive: boolean): void;
}
