import { codeNotices } from './code-notices.js';
import { type CryptoCurrency, cryptoCurrencies } from './crypto-currencies.js';
import { chosen, type FiatOffer, fiatOffer, listed } from './fiat-offer.js';

/** What one verified on-ramp URL offers the shopper: section 4.7 applied to the catalog. */
export interface Offer extends FiatOffer {
  /** In the order of the URL. Empty when nothing the URL names is on offer. */
  readonly cryptos: readonly CryptoCurrency[];
  /** Code chosen at the start. */
  readonly crypto: string | undefined;
  readonly amount: string | undefined;
  /** The amount may not be changed. */
  readonly amountFixed: boolean;
  readonly walletAddress: string | undefined;
  readonly walletLocked: boolean;
  readonly walletHidden: boolean;
}

const codes = cryptoCurrencies.map(({ code }) => code);
const catalog = {
  cryptoCurrency: codes,
  defaultCurrency: codes,
  cryptoNetwork: cryptoCurrencies.map(({ network }) => network),
};

/** Applies the parameters of an on-ramp URL to the catalog. Unknown codes are ignored and named in `notices`. */
export function offer(params: Readonly<Record<string, string>>): Offer {
  const networks = params.cryptoNetwork?.split(',');
  const cryptos = listed(cryptoCurrencies, params.cryptoCurrency).filter(
    ({ network }) => !networks || networks.includes(network),
  );
  const { notices, ...fiat } = fiatOffer(params);
  return {
    ...fiat,
    notices: [...codeNotices(params, catalog), ...notices],
    cryptos,
    crypto: chosen(
      cryptos,
      params.defaultCurrency ?? (params.cryptoCurrency ? undefined : 'USDT_ERC20'),
    ),
    amount: params.amountFixed ?? params.amount,
    amountFixed: params.amountFixed !== undefined,
    walletAddress: params.walletAddress,
    walletLocked: params.walletAddressLocked === '1',
    walletHidden: params.walletAddressHidden === '1',
  };
}
