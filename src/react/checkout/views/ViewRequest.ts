import type { CheckoutMessages } from '../../../messages/CheckoutMessages.js';
import type { RampError } from '../../../protocol/errors/RampError.js';
import type { FrameOptions } from './FrameOptions.js';

/** The input of a view, and the callbacks that it calls. */
export interface ViewRequest {
  readonly url: string;
  readonly messages: CheckoutMessages;
  readonly options: FrameOptions;
  /** The element that gets the focus back. */
  readonly trigger: HTMLElement | undefined;
  /** The element that an inline widget is placed in. */
  readonly container: HTMLElement | null | undefined;
  /** The window that was opened inside the click; null when the browser blocked it. */
  readonly blank: Window | null | undefined;
  /** How long the signature in the URL may still be used, in milliseconds. */
  readonly signatureTtlMs: number;
  onLoaded(): void;
  /** Called when the widget failed to load, as far as the page can observe. */
  onLoadError(error: RampError): void;
  /** Called when the view is gone. `emitsClosed`: the shopper closed it, as far as the page can observe. */
  onEnd(emitsClosed?: boolean): void;
  /** @param place - Holds the widget's frame; a question may be shown over it. */
  openNewWindow(place: HTMLElement): void;
}
