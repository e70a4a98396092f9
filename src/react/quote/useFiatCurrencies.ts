import { isDecimal } from '../../protocol/compareDecimals.js';
import type { FiatCurrenciesAnswer } from '../../protocol/handler-answers.js';
import type { FiatCurrency, PaymentOption } from '../../protocol/resources.js';
import type { BackendSettings } from './backendQuery.js';
import { isAbsentOr, isText } from './isAbsentOr.js';
import { type CurrencyListState, useList } from './useList.js';

/**
 * The fiat currencies one can pay in, with their payment methods and limits: `GET {api}/currencies`.
 *
 * Limits are decimal strings in the fiat currency. Kept for five minutes. Options not given come
 * from {@link RampProvider}. What goes wrong is in `error`: `ERR_NETWORK`, `ERR_RESPONSE_INVALID`,
 * `ERR_CONFIG_INVALID` without an `api`, and what the backend says; nothing is thrown.
 *
 * @example
 * const { status, currencies } = useFiatCurrencies();
 * if (status === 'ready') return currencies.map(({ fiatCurrency }) => <li key={fiatCurrency}>…</li>);
 */
export const useFiatCurrencies = (options: BackendSettings = {}): CurrencyListState<FiatCurrency> =>
  useList(options, '/currencies', isAnswer, listOf);

const listOf = ({ currencies }: FiatCurrenciesAnswer) => currencies;

const isAnswer = ({ currencies }: FiatCurrenciesAnswer) =>
  Array.isArray(currencies) &&
  currencies.every(
    ({ fiatCurrency, name, paymentOptions }: FiatCurrency) =>
      isText(fiatCurrency) &&
      isAbsentOr(isText)(name) &&
      Array.isArray(paymentOptions) &&
      paymentOptions.every(isPaymentOption),
  );

const isPaymentOption = ({ name, icon, processingTime, minAmount, maxAmount }: PaymentOption) =>
  isText(name) &&
  [icon, processingTime?.text].every(isAbsentOr(isText)) &&
  [minAmount, maxAmount].every(isAbsentOr((limit) => limit === '' || isDecimal(limit)));
