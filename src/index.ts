'use client';
/**
 * The components and hooks of the storefront.
 *
 * @module
 */
export type { RampMessages } from './messages/RampMessages.js';
export { isRampError } from './protocol/is-ramp-error.js';
export { RampError, type RampErrorCode, type RampIssue } from './protocol/ramp-error.js';
export type {
  CheckoutDisplay,
  CheckoutEvent,
  CheckoutOptions,
  CheckoutProposal,
  CheckoutSigner,
  CheckoutState,
  RampSettings,
  SignedCheckout,
} from './react/checkout-types.js';
export { createHttpSigner, type HttpSignerOptions } from './react/createHttpSigner.js';
export {
  OnRampButton,
  type OnRampButtonProps,
  type RampButtonProps,
} from './react/OnRampButton.js';
export type { OnRampParameterProps } from './react/onramp-props.js';
export { RampProvider, type RampProviderProps } from './react/RampProvider.js';
export { type Checkout, useCheckout } from './react/useCheckout.js';
