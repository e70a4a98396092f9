/**
 * The service's interface as data and pure functions: no React, no DOM, no Node, no clock, no key.
 *
 * @module
 */

export { buildRequestPayload, type SignedRequest } from './api/buildRequestPayload.js';
export { parseQuoteQuery } from './api/parseQuoteQuery.js';
export {
  parseCryptoCurrencies,
  parseEnvelope,
  parseFiatCurrencies,
  parseOrder,
  parseOrderList,
  parseQuote,
} from './api/parseResources.js';
export {
  cryptoCurrencySchema,
  envelopeSchema,
  fiatCurrencySchema,
  nftDetailsSchema,
  orderListSchema,
  orderSchema,
  paymentOptionSchema,
  quoteSchema,
} from './api/resourceSchemas.js';
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
export {
  getSignedNames,
  getWidgetParameters,
  type ParameterName,
} from './widget/getWidgetParameters.js';
export type { NftParams, OnRampParams, ParamsFor, ProposedParams } from './widget/OnRampParams.js';
export {
  nftParamsSchema,
  onRampParamsSchema,
  type ParamsUse,
  parseWidgetParams,
  widgetParamsSchema,
} from './widget/parseWidgetParams.js';
export type { ParameterFormat, Tier, Widget, WidgetParameter } from './widget/WidgetParameter.js';
export { widgetParameters } from './widget/widgetParameters.js';
