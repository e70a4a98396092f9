/**
 * Data and pure functions of the service's interface, for the page and the backend of a partner. They use
 * no React, DOM, Node.js API, clock or key.
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
export { compareDecimals } from './decimal/compareDecimals.js';
export { multiplyDecimals } from './decimal/multiplyDecimals.js';
export { isRampError } from './errors/isRampError.js';
export {
  RampError,
  type RampErrorCode,
  type RampErrorDetails,
  type RampIssue,
} from './errors/RampError.js';
export type {
  CacheInfo,
  CheckoutProgress,
  CheckoutResponse,
  CryptoCurrenciesResponse,
  FiatCurrenciesResponse,
  OrderSummary,
  QuoteResponse,
} from './handler/CheckoutResponse.js';
export { parseServiceUrl } from './parseServiceUrl.js';
export { buildWidgetPayload, type WidgetParams } from './widget/buildWidgetPayload.js';
export { buildWidgetUrl, parseWidgetUrl } from './widget/buildWidgetUrl.js';
export { getWidgetParameters, type ParameterName } from './widget/getWidgetParameters.js';
export type { NftParams, OnRampParams, ParamsFor, ProposedParams } from './widget/OnRampParams.js';
export type { ParamsUse } from './widget/ParamsUse.js';
export { parseWidgetParams } from './widget/parseWidgetParams.js';
export type { ParameterFormat, Tier, Widget, WidgetParameter } from './widget/WidgetParameter.js';
export { widgetParameters } from './widget/widgetParameters.js';
