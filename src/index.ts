'use client';
/**
 * React components and hooks for the pages of your shop.
 *
 * @module
 */

export type {
  CheckoutProposal,
  CheckoutSigner,
  SignedCheckout,
} from './client/backend/createHttpSigner.js';
export { createHttpSigner } from './client/backend/createHttpSigner.js';
export type { BackendSettings, RequestHeaders } from './client/backend/fetchBackend.js';
export type { OpenRequest } from './client/checkout/Checkout.js';
export type { CheckoutNotice } from './client/checkout/CheckoutNotice.js';
export type { CheckoutState } from './client/checkout/checkoutStates.js';
export type { AutoDisplays } from './client/checkout/chooseDisplay.js';
export type {
  CheckoutBlocked,
  CheckoutCallbacks,
  CheckoutClosed,
  CheckoutDisplay,
  CheckoutEvent,
  CheckoutFailed,
  CheckoutLoaded,
  CheckoutOpened,
} from './client/checkout/events.js';
export type {
  QuotePreviewOptions,
  QuotePreviewState,
  QuotePreviewStatus,
} from './client/quote/QuoteForm.js';
export type { QuoteSelection } from './client/quote/selection.js';
export type { CheckoutStatusState } from './client/status/CheckoutStatusState.js';
export type { RampMessages } from './messages/RampMessages.js';
export type {
  CryptoCurrency,
  FiatCurrency,
  PaymentOption,
  Quote,
} from './protocol/api/resources.js';
export { isRampError } from './protocol/errors/isRampError.js';
export {
  RampError,
  type RampErrorCode,
  type RampIssue,
} from './protocol/errors/RampError.js';
export type {
  CheckoutProgress,
  CheckoutResponse,
  ListedCheckout,
  OrderSummary,
} from './protocol/handler/CheckoutResponse.js';
export {
  OnRampButton,
  type OnRampButtonProps,
} from './react/button/OnRampButton.js';
export type { CheckoutButtonProps, RampButtonProps } from './react/button/useCheckoutButton.js';
export { CheckoutNote, type CheckoutNoteProps } from './react/checkout/CheckoutNote.js';
export {
  type UseCheckoutOptions,
  type UseCheckoutResult,
  useCheckout,
} from './react/checkout/useCheckout.js';
export {
  CheckoutHistory,
  type CheckoutHistoryProps,
  type CheckoutHistoryRootProps,
} from './react/history/CheckoutHistory.js';
export {
  CheckoutInProgress,
  type CheckoutInProgressProps,
  type CheckoutInProgressRootProps,
} from './react/history/CheckoutInProgress.js';
export {
  type CheckoutHistoryOptions,
  type CheckoutHistoryState,
  useCheckoutHistory,
} from './react/history/useCheckoutHistory.js';
export { NftCard, type NftCardProps } from './react/nft/NftCard.js';
export {
  NftCheckout,
  type NftCheckoutProps,
} from './react/nft/NftCheckout.js';
export {
  type ProvidedSettings,
  RampProvider,
  type RampProviderProps,
  type RampSettings,
  useRamp,
} from './react/provider/RampProvider.js';
export type { QuotePreviewProps, QuotePreviewRootProps } from './react/quote/previewProps.js';
export { QuotePreview } from './react/quote/QuotePreview.js';
export {
  CheckoutStatus,
  type CheckoutStatusProps,
  type CheckoutStatusRootProps,
} from './react/status/CheckoutStatus.js';
export {
  type CheckoutStatusOptions,
  useCheckoutStatus,
} from './react/status/useCheckoutStatus.js';
