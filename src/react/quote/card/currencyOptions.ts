import type { CryptoCurrency, FiatCurrency } from '../../../protocol/api/resources.js';
import type { AmountFormats } from '../../format/createAmountFormats.js';
import { formatNetwork } from '../../format/formatNetwork.js';

/** One entry of a list of currencies. */
export interface CurrencyOption {
  readonly code: string;
  /** What one knows it by: `USD`, `USDT`. */
  readonly label: string;
  /** The name of a fiat currency, the network of a cryptocurrency. */
  readonly detail: string;
  /** The same coin on two networks must not be taken for one another. */
  readonly network?: string;
  readonly icon: string | undefined;
  /** In place of a picture. */
  readonly sign: string;
}

export const toFiatOption = (
  { fiatCurrency, name }: FiatCurrency,
  formats: AmountFormats,
): CurrencyOption => ({
  code: fiatCurrency,
  label: fiatCurrency,
  detail: name ?? '',
  icon: undefined,
  sign: formats.sign(fiatCurrency),
});

export const toCryptoOption = (currency: CryptoCurrency): CurrencyOption => {
  const network = formatNetwork(currency.network);
  return {
    code: currency.cryptoCurrencyCode,
    label: getCurrencySymbol(currency),
    detail: network,
    network,
    icon: currency.icon,
    sign: [...getCurrencySymbol(currency)][0] ?? '',
  };
};

/** `USDT` of `USDT_ERC20`. */
export const getCurrencySymbol = (currency: {
  readonly cryptoCurrency?: string | undefined;
  readonly cryptoCurrencyCode: string;
}): string => currency.cryptoCurrency || currency.cryptoCurrencyCode.replace(/_.*/, '');

/** The options that hold what is searched for; first those whose code begins with it. */
export function findOptions(
  options: readonly CurrencyOption[],
  search: string,
): readonly CurrencyOption[] {
  const wanted = search.trim().toLowerCase();
  const begins = ({ code }: CurrencyOption) => +code.toLowerCase().startsWith(wanted);
  return options
    .filter(({ code, label, detail }) =>
      `${code} ${label} ${detail}`.toLowerCase().includes(wanted),
    )
    .sort((a, b) => begins(b) - begins(a));
}
