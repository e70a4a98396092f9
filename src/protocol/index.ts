/**
 * The data types and pure functions of the service's interface, for a partner's page and backend. They need no React,
 * DOM or Node.js API, no clock and no key.
 *
 * @module
 */

export { buildRequestPayload, type SignedRequest } from './api/buildRequestPayload.js';
export type {
  BuyType,
  CryptoCurrency,
  FiatCurrency,
  ListedCryptoCurrency,
  NftDetails,
  Order,
  OrderList,
  PaymentOption,
  ProcessingTime,
  Quote,
  QuoteQuery,
} from './api/resources.js';
export { compareDecimals, multiplyDecimals } from './decimals.js';
export {
  isRampError,
  RampError,
  type RampErrorCode,
  type RampErrorDetails,
  type RampIssue,
} from './errors/RampError.js';
export type {
  CacheInfo,
  CheckoutProgress,
  CheckoutResponse,
  CheckoutsResponse,
  CryptoCurrenciesResponse,
  FiatCurrenciesResponse,
  ListedCheckout,
  OrderResolution,
  OrderSummary,
  PolledCheckout,
  QuoteResponse,
} from './handler/CheckoutResponse.js';
export { parseServiceUrl } from './parseServiceUrl.js';
export { buildWidgetPayload, type WidgetParams } from './widget/buildWidgetPayload.js';
export { buildWidgetUrl, parseWidgetUrl } from './widget/buildWidgetUrl.js';
export type {
  NftParams,
  OnRampParams,
  ParamsFor,
  ParamsUse,
  ProposedParams,
} from './widget/parseWidgetParams.js';
export { parseWidgetParams } from './widget/parseWidgetParams.js';
export type { ParameterFormat, Tier, Widget, WidgetParameter } from './widget/widgetParameters.js';
export {
  getWidgetParameters,
  type ParameterName,
  widgetParameters,
} from './widget/widgetParameters.js';
