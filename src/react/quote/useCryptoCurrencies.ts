import type { CryptoCurrenciesAnswer } from '../../protocol/handler-answers.js';
import type { BuyType, CryptoCurrency } from '../../protocol/resources.js';
import type { BackendSettings } from './backendQuery.js';
import { isAbsentOr, isText } from './isAbsentOr.js';
import { type CurrencyListState, useList } from './useList.js';

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
  useList(options, `/cryptocurrencies${buyType === 'nft' ? '?buyType=nft' : ''}`, isAnswer, listOf);

const listOf = ({ cryptoCurrencies }: CryptoCurrenciesAnswer) => cryptoCurrencies;

const isAnswer = ({ cryptoCurrencies }: CryptoCurrenciesAnswer) =>
  Array.isArray(cryptoCurrencies) &&
  cryptoCurrencies.every(
    ({ cryptoCurrencyCode, cryptoCurrency, network, icon }: CryptoCurrency) =>
      isText(cryptoCurrencyCode) && [cryptoCurrency, network, icon].every(isAbsentOr(isText)),
  );
