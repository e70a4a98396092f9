import { paramsError } from '../protocol/widget-schemas.js';
import type { CryptoCurrency } from './crypto-currencies.js';
import { type Decimal, decimal, decimalText, divide, times, unitsAt } from './decimal.js';
import type { FiatCurrency, PaymentOption } from './fiat-currencies.js';
import { usdPrice } from './usd-price.js';

/** Digits after the point of a unit price, and of a cryptocurrency amount that is delivered. */
const CRYPTO_DIGITS = 8;

/** What is bought, and how it is paid. */
export interface Purchase {
  readonly fiat: FiatCurrency;
  readonly crypto: CryptoCurrency;
  /** One of those of `fiat`. */
  readonly option: PaymentOption;
  /** A decimal string: fiat, or the price of an NFT in `crypto`. */
  readonly amount: string;
}

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
  /** What arrives, eight decimals, rounded down; of an NFT its price as it was given. */
  readonly cryptoCurrencyAmount: string;
  /** Fiat for one, eight decimals. */
  readonly cryptoCurrencyUnitPrice: string;
  /** The same fees in the purchased currency, as an order states them (section 9). */
  readonly cryptoFees: Fees;
}

/**
 * Prices one purchase at one moment, exactly: `gasFee + platformFee = totalFee`, and
 * `currencyAmount - totalFee` buys `cryptoCurrencyAmount` at `cryptoCurrencyUnitPrice`. Fees are
 * rounded to what the fiat currency has.
 *
 * @param purchase - `amount` is fiat, with at most as many decimals as the currency has.
 * @param atMs - The clock, milliseconds since 1970.
 * @throws RampError `ERR_PARAMS_INVALID` when the fees eat the amount up.
 */
export function quote(purchase: Purchase, atMs: number): Quote {
  const rates = ratesOf(purchase, atMs);
  const paid = unitsAt(decimal(purchase.amount), purchase.fiat.digits);
  const net = paid - rates.gas - rates.platformOf(paid);
  if (net <= 0n)
    throw paramsError([{ param: 'currencyAmount', message: 'does not cover the fees' }]);
  return quoted(purchase, rates, paid, decimalText(rates.inCrypto(net), CRYPTO_DIGITS));
}

/**
 * Prices an NFT the other way round: the least fiat amount that covers the fees and buys the price,
 * rounded up to what the fiat currency has.
 *
 * @param purchase - `amount` is the price of the NFT in the cryptocurrency.
 * @param atMs - The clock, milliseconds since 1970.
 */
export function nftQuote(purchase: Purchase, atMs: number): Quote {
  const rates = ratesOf(purchase, atMs);
  const { digits } = purchase.fiat;
  const worth = unitsAt(times(decimal(purchase.amount), rates.unitPrice), digits, 'up');
  const needed = worth + rates.gas;
  const share = 10_000n - BigInt(purchase.option.feeBasisPoints);
  // The fee is rounded, so the amount may be one unit too much.
  const enough = divide(needed * 10_000n, share, 'up');
  const covers = (paid: bigint) => paid - rates.platformOf(paid) >= needed;
  const paid = covers(enough - 1n) ? enough - 1n : enough;
  return quoted(purchase, rates, paid, purchase.amount);
}

interface Rates {
  /** Fiat for one. */
  readonly unitPrice: Decimal;
  /** Units of the fiat currency. */
  readonly gas: bigint;
  platformOf(paid: bigint): bigint;
  /** What so many units of the fiat currency buy, without fees; rounded down. */
  inCrypto(fiatUnits: bigint): bigint;
}

function ratesOf({ fiat, crypto, option }: Purchase, atMs: number): Rates {
  const { digits } = fiat;
  const perUsd = decimal(fiat.perUsd);
  const price = unitsAt(times(usdPrice(crypto, atMs), perUsd), CRYPTO_DIGITS, 'half');
  return {
    unitPrice: { units: price, scale: CRYPTO_DIGITS },
    gas: unitsAt(times(decimal(crypto.gasUsd), perUsd), digits, 'half'),
    platformOf: (paid) => divide(paid * BigInt(option.feeBasisPoints), 10_000n, 'half'),
    inCrypto: (units) => divide(units * 10n ** BigInt(2 * CRYPTO_DIGITS - digits), price),
  };
}

function quoted(
  { fiat, crypto }: Purchase,
  { unitPrice, gas, platformOf, inCrypto }: Rates,
  paid: bigint,
  cryptoCurrencyAmount: string,
): Quote {
  const platform = platformOf(paid);
  return {
    fiatCurrency: fiat.code,
    currencyAmount: decimalText(paid, fiat.digits),
    cryptoCurrency: crypto.symbol,
    cryptoCurrencyCode: crypto.code,
    network: crypto.network,
    cryptoCurrencyAmount,
    cryptoCurrencyUnitPrice: decimalText(unitPrice.units, unitPrice.scale),
    ...fees(gas, platform, fiat.digits),
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
