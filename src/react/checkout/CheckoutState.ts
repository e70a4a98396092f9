import type { ComponentType } from 'react';
import type { RampMessages } from '../../messages/RampMessages.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { BackendConnection } from '../backend/fetchBackend.js';

/** The notice beside the button about a checkout that may have been paid. */
export interface CheckoutNotice extends BackendConnection {
  /** `paid`: the backend has an order. `closed`: the widget was open long enough for a payment. */
  readonly reason: 'paid' | 'closed';
  /** The closed checkout, and the checkout that was open before it in the page. */
  readonly references: readonly string[];
  /** After a checkout in a second window: whether that window may still be open. */
  readonly secondWindow: 'open' | 'closed' | undefined;
}

/** The state of a checkout, as the page sees it. */
export interface CheckoutState {
  /** `signing` while a signature is requested, `open` while the widget is shown. */
  readonly status: 'idle' | 'signing' | 'open' | 'blocked' | 'error';
  /** The error, with `error` and `blocked`. */
  readonly error?: RampError | undefined;
  /** With `blocked`: the URL for a visible link, valid for one opening. */
  readonly url?: string | undefined;
  /** With `blocked`: call it once the link has been used. */
  readonly onLinkClick?: (() => void) | undefined;
  /** The backend's reference of the last opened checkout. */
  readonly reference?: string | undefined;
  /** After a checkout that may have been paid, and while the window of a paid checkout is open. */
  readonly notice?: CheckoutNotice | undefined;
  /** Shows the error or the notice with its action, such as a retry. Set once its code has loaded. */
  readonly Note?: ComponentType<CheckoutNoteProps> | undefined;
}

/** The props of the note beside the button. */
export interface CheckoutNoteProps {
  readonly state: CheckoutState;
  readonly messages: Partial<RampMessages> | undefined;
  readonly onRetry: () => void;
}
