import { type CryptoCurrency, cryptoCurrencies } from './crypto-currencies.js';
import { type FiatCurrency, fiatCurrencies } from './fiat-currencies.js';
import { isEmail } from './is-email.js';

/** What one verified URL offers the shopper: section 4.7 applied to the catalog. */
export interface Offer {
  readonly language: string;
  /** In the order of the URL. Empty when nothing the URL names is on offer. */
  readonly fiats: readonly FiatCurrency[];
  readonly cryptos: readonly CryptoCurrency[];
  /** Codes chosen at the start. */
  readonly fiat: string | undefined;
  readonly crypto: string | undefined;
  readonly amount: string | undefined;
  /** The amount may not be changed. */
  readonly amountFixed: boolean;
  readonly email: string | undefined;
  readonly walletAddress: string | undefined;
  readonly walletLocked: boolean;
  readonly walletHidden: boolean;
  /** Kept for the order as it came. */
  readonly ext: string;
}

/** Applies the parameters of an on-ramp URL to the catalog. Codes that nobody knows are ignored. */
export function offer(params: Readonly<Record<string, string>>): Offer {
  const networks = params.cryptoNetwork?.split(',');
  const fiats = listed(fiatCurrencies, params.fiatCurrency);
  const cryptos = listed(cryptoCurrencies, params.cryptoCurrency).filter(
    ({ network }) => !networks || networks.includes(network),
  );
  return {
    language: params.language ?? 'en',
    fiats,
    cryptos,
    fiat: chosen(fiats, params.defaultFiatCurrency ?? (params.fiatCurrency ? undefined : 'USD')),
    crypto: chosen(
      cryptos,
      params.defaultCurrency ?? (params.cryptoCurrency ? undefined : 'USDT_ERC20'),
    ),
    amount: params.amountFixed ?? params.amount,
    amountFixed: params.amountFixed !== undefined,
    email: params.email && isEmail(params.email) ? params.email : undefined,
    walletAddress: params.walletAddress,
    walletLocked: params.walletAddressLocked === '1',
    walletHidden: params.walletAddressHidden === '1',
    ext: params.ext ?? '',
  };
}

type Coded = { readonly code: string };

function listed<T extends Coded>(all: readonly T[], codes: string | undefined): readonly T[] {
  if (!codes) return all;
  return [...new Set(codes.split(','))].flatMap((code) => all.filter((item) => item.code === code));
}

function chosen(offered: readonly Coded[], code: string | undefined): string | undefined {
  return (offered.find((item) => item.code === code) ?? offered[0])?.code;
}
