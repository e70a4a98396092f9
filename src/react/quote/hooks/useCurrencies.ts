import type { BackendSettings } from '../../../client/backend/fetchBackend.js';
import type {
  BuyType,
  CryptoCurrency,
  FiatCurrency,
  PaymentOption,
} from '../../../protocol/api/resources.js';
import { isDecimal } from '../../../protocol/decimals.js';
import type { RampError } from '../../../protocol/errors/RampError.js';
import type {
  CacheInfo,
  CryptoCurrenciesResponse,
  FiatCurrenciesResponse,
} from '../../../protocol/handler/CheckoutResponse.js';
import { useRampSettings } from '../../provider/RampProvider.js';
import { isOptional, isText, useBackendQuery } from './useBackendQuery.js';
import { useReactQuery } from './useReactQuery.js';

/** Options of {@link useCryptoCurrencies}. Missing settings of the backend are taken from {@link RampProvider}. */
export interface CryptoCurrenciesOptions extends BackendSettings {
  /** `fiat` for the cryptocurrencies that can be bought, `nft` for the currencies of NFT prices. @default 'fiat' */
  readonly buyType?: BuyType | undefined;
}

/** What {@link useFiatCurrencies} and {@link useCryptoCurrencies} return. */
export interface CurrencyListState<T> {
  /**
   * `loading`: the first list is being fetched. `success`: `data` is set, and may be empty.
   * `offline`: there is neither a connection nor a list; the list loads when the connection is back.
   * `error`: `error` has the reason.
   */
  readonly status: 'loading' | 'success' | 'error' | 'offline';
  /** Undefined until the first list is loaded. If a refresh fails, the last known list stays. */
  readonly data: readonly T[] | undefined;
  /** True if `data` is the last known list, because the service is down or the refresh failed. */
  readonly stale: boolean;
  /** The error of the last request. It stays set while the request is retried. */
  readonly error: RampError | undefined;
  /** Fetches the list again immediately, even if there was no error. */
  readonly retry: () => void;
}

/**
 * Returns the fiat currencies that shoppers can pay in, with their payment methods and limits. The hook requests
 * `GET {api}/currencies`.
 *
 * Limits are decimal strings in the fiat currency. The list is cached for five minutes. Missing options are taken from
 * {@link RampProvider}.
 *
 * The hook never throws. Failures are in `error`, with the code `ERR_NETWORK`, `ERR_TIMEOUT`, `ERR_RESPONSE_INVALID`,
 * or a code of the backend. The code is `ERR_CONFIG_INVALID` if there is no `api`, or if version 5 of
 * `@tanstack/react-query` is not installed. If react-query could not be loaded (`ERR_NETWORK`), only `retry` or a
 * reload of the page helps.
 *
 * @example
 * const { status, data } = useFiatCurrencies();
 * if (status === 'success') return data.map(({ fiatCurrency }) => <li key={fiatCurrency}>…</li>);
 */
export const useFiatCurrencies = (options: BackendSettings = {}): CurrencyListState<FiatCurrency> =>
  useCurrencyList(options, '/currencies', isFiatResponse, getFiatCurrencies);

const getFiatCurrencies = ({ currencies }: FiatCurrenciesResponse) => currencies;

const isFiatResponse = ({ currencies }: FiatCurrenciesResponse) =>
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

/**
 * Returns the cryptocurrencies that can be bought, or with `buyType: 'nft'` the currencies of NFT prices. The hook
 * requests `GET {api}/cryptocurrencies`.
 *
 * The list is cached for five minutes. Missing settings of the backend are taken from {@link RampProvider}. The hook
 * never throws. Failures are in `error`, with the codes of {@link useFiatCurrencies}.
 *
 * @example
 * const { data = [] } = useCryptoCurrencies();
 * const codes = data.map(({ cryptoCurrencyCode }) => cryptoCurrencyCode); // 'USDT_ERC20', …
 */
export const useCryptoCurrencies = ({
  buyType,
  ...options
}: CryptoCurrenciesOptions = {}): CurrencyListState<CryptoCurrency> =>
  useCurrencyList(
    options,
    `/cryptocurrencies${buyType === 'nft' ? '?buyType=nft' : ''}`,
    isCryptoResponse,
    getCryptoCurrencies,
  );

const getCryptoCurrencies = ({ cryptoCurrencies }: CryptoCurrenciesResponse) => cryptoCurrencies;

const isCryptoResponse = ({ cryptoCurrencies }: CryptoCurrenciesResponse) =>
  Array.isArray(cryptoCurrencies) &&
  cryptoCurrencies.every(
    ({ cryptoCurrencyCode, cryptoCurrency, network, icon }: CryptoCurrency) =>
      isText(cryptoCurrencyCode) && [cryptoCurrency, network, icon].every(isOptional(isText)),
  );

const FIVE_MINUTES = 300_000;

/** Fetches a list of currencies. Lists rarely change, so they are cached for five minutes. */
function useCurrencyList<A extends CacheInfo, T>(
  options: BackendSettings,
  path: string,
  isResponse: (body: A) => unknown,
  getCurrencies: (body: A) => readonly T[],
): CurrencyListState<T> {
  const settings = useRampSettings(options);
  const reactQuery = useReactQuery();
  const { online } = reactQuery;
  const { data, error, refetch } = useBackendQuery<A>(
    reactQuery,
    settings,
    { path, isResponse },
    {
      staleTime: FIVE_MINUTES,
      gcTime: FIVE_MINUTES,
      refetchInterval: false,
      enabled: true,
    },
  );
  const pending = online ? (error ? 'error' : 'loading') : 'offline';
  return {
    status: data ? 'success' : pending,
    data: data && getCurrencies(data),
    stale: Boolean(data && (data.stale || error)),
    error: error ?? undefined,
    retry: () => void refetch(),
  };
}
