import type { BuyType, CryptoCurrency } from '../../../protocol/api/resources.js';
import type { CryptoCurrenciesResponse } from '../../../protocol/handler/CheckoutResponse.js';
import type { BackendSettings } from '../../backend/fetchBackend.js';
import { isOptional, isText } from './isOptional.js';
import { type CurrencyListState, useCurrencyList } from './useCurrencyList.js';

/** The options of {@link useCryptoCurrencies}. */
export interface CryptoCurrenciesOptions extends BackendSettings {
  /** `nft`: the cryptocurrencies of NFT prices. @default 'fiat' */
  readonly buyType?: BuyType | undefined;
}

/**
 * Returns the cryptocurrencies that can be bought, or with `buyType: 'nft'` the currencies of NFT prices:
 * `GET {api}/cryptocurrencies`.
 *
 * The list is cached for five minutes. Missing options are taken from {@link RampProvider}. Failures are in
 * `error`, as with {@link useFiatCurrencies}; the hook never throws.
 *
 * @example
 * const { currencies = [] } = useCryptoCurrencies();
 * const codes = currencies.map(({ cryptoCurrencyCode }) => cryptoCurrencyCode); // 'USDT_ERC20', …
 */
export const useCryptoCurrencies = ({
  buyType,
  ...options
}: CryptoCurrenciesOptions = {}): CurrencyListState<CryptoCurrency> =>
  useCurrencyList(
    options,
    `/cryptocurrencies${buyType === 'nft' ? '?buyType=nft' : ''}`,
    isResponse,
    getCurrencies,
  );

const getCurrencies = ({ cryptoCurrencies }: CryptoCurrenciesResponse) => cryptoCurrencies;

const isResponse = ({ cryptoCurrencies }: CryptoCurrenciesResponse) =>
  Array.isArray(cryptoCurrencies) &&
  cryptoCurrencies.every(
    ({ cryptoCurrencyCode, cryptoCurrency, network, icon }: CryptoCurrency) =>
      isText(cryptoCurrencyCode) && [cryptoCurrency, network, icon].every(isOptional(isText)),
  );
