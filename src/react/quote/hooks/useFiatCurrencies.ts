import type { FiatCurrency, PaymentOption } from '../../../protocol/api/resources.js';
import { isDecimal } from '../../../protocol/decimal/parseDecimal.js';
import type { FiatCurrenciesResponse } from '../../../protocol/handler/CheckoutResponse.js';
import type { BackendSettings } from '../../backend/fetchBackend.js';
import { isOptional, isText } from './isOptional.js';
import { type CurrencyListState, useCurrencyList } from './useCurrencyList.js';

/**
 * Returns the fiat currencies that shoppers can pay in, with their payment methods and limits:
 * `GET {api}/currencies`.
 *
 * Limits are decimal strings in the fiat currency. The list is cached for five minutes. Missing options are
 * taken from {@link RampProvider}. The hook never throws; `error` has the code `ERR_NETWORK`, `ERR_TIMEOUT`,
 * `ERR_RESPONSE_INVALID`, `ERR_CONFIG_INVALID` without an `api`, or one of the backend's.
 *
 * @example
 * const { status, currencies } = useFiatCurrencies();
 * if (status === 'ready') return currencies.map(({ fiatCurrency }) => <li key={fiatCurrency}>…</li>);
 */
export const useFiatCurrencies = (options: BackendSettings = {}): CurrencyListState<FiatCurrency> =>
  useCurrencyList(options, '/currencies', isResponse, getCurrencies);

const getCurrencies = ({ currencies }: FiatCurrenciesResponse) => currencies;

const isResponse = ({ currencies }: FiatCurrenciesResponse) =>
  Array.isArray(currencies) &&
  currencies.every(
    ({ fiatCurrency, name, paymentOptions }: FiatCurrency) =>
      isText(fiatCurrency) &&
      isOptional(isText)(name) &&
      Array.isArray(paymentOptions) &&
      paymentOptions.every(isPaymentOption),
  );

const isPaymentOption = ({ name, icon, processingTime, minAmount, maxAmount }: PaymentOption) =>
  isText(name) &&
  [icon, processingTime?.text].every(isOptional(isText)) &&
  [minAmount, maxAmount].every(isOptional((limit) => limit === '' || isDecimal(limit)));
