/**
 * The service's interface as data and pure functions: no React, no DOM, no Node, no clock, no key.
 *
 * @module
 */
export type {
  CacheInfo,
  CheckoutProgress,
  CheckoutResponse,
  CryptoCurrenciesResponse,
  FiatCurrenciesResponse,
  OrderSummary,
  QuoteResponse,
} from './handler-answers.js';
export { isRampError } from './is-ramp-error.js';
export { getSignedNames, getWidgetParameters, type ParameterName } from './parametersOf.js';
export {
  parseCryptoCurrencies,
  parseEnvelope,
  parseFiatCurrencies,
  parseOrder,
  parseOrderList,
  parseQuote,
} from './parse-resources.js';
export { parseQuoteQuery } from './quote-query.js';
export {
  RampError,
  type RampErrorCode,
  type RampErrorDetails,
  type RampIssue,
} from './ramp-error.js';
export { buildRequestPayload, type SignedRequest } from './request-payload.js';
export {
  cryptoCurrencySchema,
  envelopeSchema,
  fiatCurrencySchema,
  nftDetailsSchema,
  orderListSchema,
  orderSchema,
  paymentOptionSchema,
  quoteSchema,
} from './resource-schemas.js';
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
} from './resources.js';
export { parseServiceUrl } from './service-url.js';
export type { ParameterFormat, Tier, Widget, WidgetParameter } from './widget-parameter.js';
export { widgetParameters } from './widget-parameters.js';
export type { NftParams, OnRampParams, ParamsFor, ProposedParams } from './widget-params.js';
export { buildWidgetPayload, type WidgetParams } from './widget-payload.js';
export {
  nftParamsSchema,
  onRampParamsSchema,
  type ParamsUse,
  parseWidgetParams,
  widgetParamsSchema,
} from './widget-schemas.js';
export { buildWidgetUrl, parseWidgetUrl } from './widget-url.js';
