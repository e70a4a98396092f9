import type { NftMessages } from './NftMessages.js';
import type { QuoteMessages } from './QuoteMessages.js';

/** Every text of the components. */
export interface RampMessages extends QuoteMessages, NftMessages {
  /** The button without children. */
  readonly buy: string;
  readonly buyNft: string;
  /** In a new window, until the widget is there. */
  readonly opening: string;
  /** Beside the button, when opening failed. */
  readonly failed: string;
  /** Beside the button, when the backend could not be reached. */
  readonly offline: string;
  readonly retry: string;
  /** Where a part of the code could not be loaded: browsers may try that once in a page's life. */
  readonly reload: string;
  /** Beside the button, when the browser blocked the window. */
  readonly blocked: string;
  /** The link that opens the blocked window. */
  readonly openHere: string;
  /** The name of the dialog and of its frame. */
  readonly checkout: string;
  readonly close: string;
  readonly newWindow: string;
  readonly loading: string;
  /** In the dialog, when the widget does not appear. */
  readonly slow: string;
}
