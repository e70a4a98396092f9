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
  BuyType,
  CryptoCurrency,
  FiatCurrency,
  PaymentOption,
  ProcessingTime,
  Quote,
  QuoteQuery,
} from './protocol/api/resources.js';
export { isRampError } from './protocol/errors/isRampError.js';
export { RampError, type RampErrorCode, type RampIssue } from './protocol/errors/RampError.js';
export type {
  CheckoutProgress,
  CheckoutResponse,
  OrderSummary,
} from './protocol/handler/CheckoutResponse.js';
export type {
  CheckoutProposal,
  CheckoutSigner,
  SignedCheckout,
} from './react/backend/createHttpSigner.js';
export { createHttpSigner, type HttpSignerOptions } from './react/backend/createHttpSigner.js';
export type { BackendSettings, RequestHeaders } from './react/backend/fetchBackend.js';
export {
  OnRampButton,
  type OnRampButtonProps,
  type OnRampParameterProps,
} from './react/button/OnRampButton.js';
export type { CheckoutButtonProps, RampButtonProps } from './react/button/useCheckoutButton.js';
export type {
  CheckoutBlocked,
  CheckoutCallbacks,
  CheckoutClosed,
  CheckoutDisplay,
  CheckoutEvent,
  CheckoutFailed,
  CheckoutLoaded,
  CheckoutOpened,
} from './react/checkout/events.js';
export type { CheckoutNotice, CheckoutState } from './react/checkout/session.js';
export { type Checkout, type CheckoutOptions, useCheckout } from './react/checkout/useCheckout.js';
export { NftCard, type NftCardProps } from './react/nft/NftCard.js';
export {
  NftCheckout,
  type NftCheckoutProps,
  type NftParameterProps,
} from './react/nft/NftCheckout.js';
export {
  RampProvider,
  type RampProviderProps,
  type RampSettings,
  type ServiceSettings,
} from './react/provider/RampProvider.js';
export type { QuoteOptions, QuoteState, QuoteStatus } from './react/quote/hooks/QuoteState.js';
export {
  type CryptoCurrenciesOptions,
  useCryptoCurrencies,
} from './react/quote/hooks/useCryptoCurrencies.js';
export type { CurrencyListState } from './react/quote/hooks/useCurrencyList.js';
export { useFiatCurrencies } from './react/quote/hooks/useFiatCurrencies.js';
export { useQuote } from './react/quote/hooks/useQuote.js';
export { QuotePreview } from './react/quote/QuotePreview.js';
export type { QuotePreviewProps, QuotePreviewRootProps } from './react/quote/QuotePreviewProps.js';
export type {
  QuotePreviewState,
  QuotePreviewStatus,
  QuoteSelection,
} from './react/quote/selection/QuotePreviewState.js';
export { CheckoutStatus } from './react/status/CheckoutStatus.js';
export type {
  CheckoutStatusProps,
  CheckoutStatusRootProps,
} from './react/status/CheckoutStatusProps.js';
export { useCheckoutStatus } from './react/status/useCheckoutStatus.js';
export type {
  CheckoutStatusOptions,
  CheckoutStatusState,
} from './react/status/watch/CheckoutStatusState.js';
