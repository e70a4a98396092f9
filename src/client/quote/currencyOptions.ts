import type { CryptoCurrency, FiatCurrency } from '../../protocol/api/resources.js';
import type { AmountFormats } from '../format/createAmountFormats.js';
import { formatNetwork } from '../format/formatName.js';

export interface CurrencyOption {
  readonly code: string;
  /** The short name: `USD`, `USDT`. */
  readonly label: string;
  /** A fiat currency's name, or a cryptocurrency's network. */
  readonly detail: string;
  /** The network of a cryptocurrency, which distinguishes the same coin on two networks. */
  readonly network?: string;
  readonly icon: string | undefined;
  /** A symbol or letter, shown if there is no picture. */
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

/** Returns `USDT` for `USDT_ERC20`. */
export const getCurrencySymbol = (currency: {
  readonly cryptoCurrency?: string | undefined;
  readonly cryptoCurrencyCode: string;
}): string => currency.cryptoCurrency || currency.cryptoCurrencyCode.replace(/_.*/, '');

/** Returns the options that contain the search text; options whose code starts with it come first. */
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
