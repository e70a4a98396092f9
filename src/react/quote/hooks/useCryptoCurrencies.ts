import type { BuyType, CryptoCurrency } from '../../../protocol/api/resources.js';
import type { CryptoCurrenciesResponse } from '../../../protocol/handler/CheckoutResponse.js';
import type { BackendSettings } from '../../backend/BackendSettings.js';
import { isOptional, isText } from './isOptional.js';
import { type CurrencyListState, useCurrencyList } from './useCurrencyList.js';

export interface CryptoCurrenciesOptions extends BackendSettings {
  /** `nft`: those in which an NFT may be priced. @default 'fiat' */
  readonly buyType?: BuyType | undefined;
}

/**
 * The cryptocurrencies that can be bought, or with `buyType: 'nft'` those an NFT can be priced in:
 * `GET {api}/cryptocurrencies`.
 *
 * Kept for five minutes. Options not given come from {@link RampProvider}. What goes wrong is in
 * `error`, as with {@link useFiatCurrencies}; nothing is thrown.
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
