/**
 * The custom element `<ramp-button>`, for pages without React. Importing this module defines the element. On a server,
 * the import does nothing.
 *
 * @module
 */
import { RampButtonElement, type RampButtonEventMap } from './RampButtonElement.js';

export type {
  CheckoutBlocked,
  CheckoutClosed,
  CheckoutDisplay,
  CheckoutEvent,
  CheckoutFailed,
  CheckoutLoaded,
  CheckoutOpened,
} from '../client/checkout/events.js';
export {
  RampButtonElement,
  type RampButtonEventMap,
  type RampButtonSettings,
} from './RampButtonElement.js';

declare global {
  interface HTMLElementTagNameMap {
    'ramp-button': RampButtonElement;
  }
  interface HTMLElementEventMap extends RampButtonEventMap {}
}

const { customElements: registry } = globalThis;
// Another copy of this package may have defined the element.
if (registry && !registry.get('ramp-button')) registry.define('ramp-button', RampButtonElement);
