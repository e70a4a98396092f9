import { type CatalogCryptoCurrency, cryptoCurrencies } from '../../catalog/cryptoCurrencies.js';
import {
  createFiatOffer,
  type FiatOffer,
  filterByCodes,
  findInitialCode,
} from './createFiatOffer.js';
import { findCodeNotices } from './findCodeNotices.js';

/** What one verified on-ramp URL offers the shopper: section 4.7 applied to the catalog. */
export interface OnRampOffer extends FiatOffer {
  /** In the order of the URL. Empty when nothing the URL names is on offer. */
  readonly cryptos: readonly CatalogCryptoCurrency[];
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
export function createOnRampOffer(params: Readonly<Record<string, string>>): OnRampOffer {
  const networks = params.cryptoNetwork?.split(',');
  const cryptos = filterByCodes(cryptoCurrencies, params.cryptoCurrency).filter(
    ({ network }) => !networks || networks.includes(network),
  );
  const { notices, ...fiat } = createFiatOffer(params);
  return {
    ...fiat,
    notices: [...findCodeNotices(params, catalog), ...notices],
    cryptos,
    crypto: findInitialCode(
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
