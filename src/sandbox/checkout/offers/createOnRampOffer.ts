import { type CatalogCryptoCurrency, cryptoCurrencies } from '../../catalog/cryptoCurrencies.js';
import {
  createFiatOffer,
  type FiatOffer,
  filterByCodes,
  findInitialCode,
} from './createFiatOffer.js';
import { findCodeNotices } from './findCodeNotices.js';

/** The offer of a verified on-ramp URL (docs/service-interface.md section 4.7). */
export interface OnRampOffer extends FiatOffer {
  /** In the order of the URL. Empty when the sandbox offers none of the URL's currencies. */
  readonly cryptos: readonly CatalogCryptoCurrency[];
  /** Code of the initial selection. */
  readonly crypto: string | undefined;
  readonly amount: string | undefined;
  /** Whether the shopper cannot change the amount. */
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

/** Creates the offer of an on-ramp URL from the catalog. Unknown codes are ignored and listed in `notices`. */
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
