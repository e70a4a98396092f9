import { RampError } from '../protocol/ramp-error.js';
import { type CryptoCurrency, type FiatCurrency, payment } from './catalog.js';
import { decimal, decimalText, divide, times, unitsAt } from './decimal.js';

/** Digits after the point of every cryptocurrency amount. */
const CRYPTO_DIGITS = 8;

/** Gas fee, processing fee and their exact sum, decimal strings in one currency. */
interface Fees {
  readonly gasFee: string;
  readonly platformFee: string;
  readonly totalFee: string;
}

/** A price (section 2.4). Fees are in the fiat currency; `currencyAmount` includes them. */
export interface Quote extends Fees {
  readonly fiatCurrency: string;
  readonly currencyAmount: string;
  readonly cryptoCurrency: string;
  readonly cryptoCurrencyCode: string;
  readonly network: string;
  /** What arrives, eight decimals, rounded down. */
  readonly cryptoCurrencyAmount: string;
  /** Fiat for one; exact, as many decimals as it takes. */
  readonly cryptoCurrencyUnitPrice: string;
  /** The same fees in the purchased currency, as an order states them (section 9). */
  readonly cryptoFees: Fees;
}

/**
 * Prices one purchase, exactly: `gasFee + platformFee = totalFee`, and `currencyAmount - totalFee`
 * buys `cryptoCurrencyAmount`. Fees are rounded to what the fiat currency has.
 *
 * @param amount - Fiat, a decimal string with at most as many decimals as the currency has.
 * @throws RampError `ERR_PARAMS_INVALID` when the fees eat the amount up.
 */
export function quote(fiat: FiatCurrency, crypto: CryptoCurrency, amount: string): Quote {
  const { digits } = fiat;
  const paid = unitsAt(decimal(amount), digits);
  const gas = unitsAt(times(decimal(crypto.gasUsd), decimal(fiat.perUsd)), digits, 'half');
  const platform = divide(paid * payment.feeBasisPoints, 10_000n, 'half');
  const net = paid - gas - platform;
  if (net <= 0n) throw tooSmall();
  const price = times(decimal(crypto.usd), decimal(fiat.perUsd));
  const inCrypto = (units: bigint) =>
    divide(units * 10n ** BigInt(CRYPTO_DIGITS + price.scale - digits), price.units);
  return {
    fiatCurrency: fiat.code,
    currencyAmount: decimalText(paid, digits),
    cryptoCurrency: crypto.symbol,
    cryptoCurrencyCode: crypto.code,
    network: crypto.network,
    cryptoCurrencyAmount: decimalText(inCrypto(net), CRYPTO_DIGITS),
    cryptoCurrencyUnitPrice: decimalText(price.units, price.scale),
    ...fees(gas, platform, digits),
    cryptoFees: fees(inCrypto(gas), inCrypto(platform), CRYPTO_DIGITS),
  };
}

function fees(gas: bigint, platform: bigint, digits: number): Fees {
  return {
    gasFee: decimalText(gas, digits),
    platformFee: decimalText(platform, digits),
    totalFee: decimalText(gas + platform, digits),
  };
}

function tooSmall(): RampError {
  const message = 'does not cover the fees';
  return new RampError('ERR_PARAMS_INVALID', `The amount ${message}.`, {
    issues: [{ param: 'currencyAmount', message }],
  });
}
