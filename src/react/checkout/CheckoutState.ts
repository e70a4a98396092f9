import type { ComponentType } from 'react';
import type { RampMessages } from '../../messages/RampMessages.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { BackendConnection } from '../backend/BackendConnection.js';

/** The notice beside the button after a checkout was closed that may have been paid. */
export interface CheckoutNotice extends BackendConnection {
  /** `paid`: the backend knows an order. `closed`: the widget was open long enough for a payment. */
  readonly reason: 'paid' | 'closed';
}

/** The state of a checkout, as the page sees it. */
export interface CheckoutState {
  readonly status: 'idle' | 'signing' | 'open' | 'blocked' | 'error';
  /** With `error` and `blocked`. */
  readonly error?: RampError | undefined;
  /** With `blocked`: the address for a visible link, good for one opening. */
  readonly url?: string | undefined;
  /** With `blocked`: call it once the link has been used. */
  readonly onLinkClick?: (() => void) | undefined;
  /** The backend's reference of the checkout that was opened last. */
  readonly reference?: string | undefined;
  /** With `idle`, after a checkout that may have been paid. */
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
