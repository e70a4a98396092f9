'use client';
/**
 * The components and hooks of the storefront.
 *
 * @module
 */
export type { CheckoutMessages } from './messages/CheckoutMessages.js';
export type { NftMessages } from './messages/NftMessages.js';
export type { QuoteMessages } from './messages/QuoteMessages.js';
export type { RampMessages } from './messages/RampMessages.js';
export type { StatusMessages } from './messages/StatusMessages.js';
export type {
  CheckoutProgress,
  CheckoutResponse,
  OrderSummary,
} from './protocol/handler-answers.js';
export { isRampError } from './protocol/is-ramp-error.js';
export { RampError, type RampErrorCode, type RampIssue } from './protocol/ramp-error.js';
export type {
  BuyType,
  CryptoCurrency,
  FiatCurrency,
  PaymentOption,
  ProcessingTime,
  Quote,
  QuoteQuery,
} from './protocol/resources.js';
export type {
  CheckoutBlocked,
  CheckoutCallbacks,
  CheckoutClosed,
  CheckoutEvent,
  CheckoutFailed,
  CheckoutLoaded,
  CheckoutOpened,
} from './react/checkout-events.js';
export type {
  CheckoutDisplay,
  CheckoutNotice,
  CheckoutOptions,
  CheckoutProposal,
  CheckoutSigner,
  CheckoutState,
  RampSettings,
  RequestHeaders,
  SignedCheckout,
} from './react/checkout-types.js';
export { createHttpSigner, type HttpSignerOptions } from './react/createHttpSigner.js';
export { NftCheckout, type NftCheckoutProps } from './react/NftCheckout.js';
export { NftCard, type NftCardProps } from './react/nft/NftCard.js';
export type { NftParameterProps } from './react/nft-props.js';
export { OnRampButton, type OnRampButtonProps } from './react/OnRampButton.js';
export type { OnRampParameterProps } from './react/onramp-props.js';
export type { BackendSettings } from './react/quote/backendQuery.js';
export { QuotePreview } from './react/quote/QuotePreview.js';
export type {
  QuotePreviewProps,
  QuotePreviewRootProps,
  QuotePreviewState,
  QuotePreviewStatus,
  QuoteSelection,
} from './react/quote/quote-preview-types.js';
export type { QuoteOptions, QuoteState, QuoteStatus } from './react/quote/quote-types.js';
export {
  type CryptoCurrenciesOptions,
  useCryptoCurrencies,
} from './react/quote/useCryptoCurrencies.js';
export { useFiatCurrencies } from './react/quote/useFiatCurrencies.js';
export type { CurrencyListState } from './react/quote/useList.js';
export { useQuote } from './react/quote/useQuote.js';
export { RampProvider, type RampProviderProps } from './react/RampProvider.js';
export { CheckoutStatus } from './react/status/CheckoutStatus.js';
export type {
  CheckoutStatusProps,
  CheckoutStatusRootProps,
} from './react/status/checkout-status-types.js';
export {
  type CheckoutStatusOptions,
  type CheckoutStatusState,
  useCheckoutStatus,
} from './react/status/useCheckoutStatus.js';
export { type Checkout, useCheckout } from './react/useCheckout.js';
export type { CheckoutButtonProps, RampButtonProps } from './react/useCheckoutButton.js';
