import {
  compareDecimals,
  divideUnits,
  formatUnits,
  multiplyDecimals,
  parseDecimal,
  parseUnits,
} from '../../protocol/decimals.js';
import { createParamsError } from '../../protocol/errors/RampError.js';
import { valueFormats } from '../../protocol/widget/valueFormats.js';
import type { CatalogCryptoCurrency } from './cryptoCurrencies.js';
import type { CatalogFiatCurrency, CatalogPaymentOption } from './fiatCurrencies.js';

/** The number of decimals of a unit price, and of a delivered cryptocurrency amount. */
const CRYPTO_DIGITS = 8;

export interface Purchase {
  readonly fiat: CatalogFiatCurrency;
  readonly crypto: CatalogCryptoCurrency;
  /** A payment option of `fiat`. */
  readonly option: CatalogPaymentOption;
  /** A decimal string: the fiat amount to pay, or the price of an NFT in `crypto`. */
  readonly amount: string;
}

/** Returns the price of one unit in US dollars at the time `atMs`, a decimal string. */
export type UsdPrice = (coin: CatalogCryptoCurrency, atMs: number) => string;

/** Gas fee, processing fee and their exact sum: decimal strings in the same currency. */
interface Fees {
  readonly gasFee: string;
  readonly platformFee: string;
  readonly totalFee: string;
}

/**
 * A price (service interface, section 2.4). The three fees are in the fiat currency, and `currencyAmount`
 * includes them.
 */
export interface SandboxQuote extends Fees {
  readonly fiatCurrency: string;
  readonly currencyAmount: string;
  readonly cryptoCurrency: string;
  readonly cryptoCurrencyCode: string;
  readonly network: string;
  /** The delivered amount, rounded down to eight decimals. For an NFT, the signed price, unchanged. */
  readonly cryptoCurrencyAmount: string;
  /** The fiat price of one unit of the cryptocurrency, with eight decimals. */
  readonly cryptoCurrencyUnitPrice: string;
  /** The three fees in the purchased cryptocurrency, as an order states them (section 2.6). */
  readonly cryptoFees: Fees;
}

/**
 * Prices a purchase at the time `atMs`. The sums are exact: `gasFee + platformFee = totalFee`, and
 * `currencyAmount - totalFee` buys `cryptoCurrencyAmount` at `cryptoCurrencyUnitPrice`. Fees are
 * rounded to the decimals of the fiat currency.
 *
 * @param purchase - `amount` is fiat, with at most as many decimals as the currency has.
 * @param atMs - The time, milliseconds since 1970.
 * @param getUsdPrice - Prices the coin. @default calculateUsdPrice
 * @throws RampError `ERR_PARAMS_INVALID` when the amount does not cover the fees.
 */
export function createOnRampQuote(
  purchase: Purchase,
  atMs: number,
  getUsdPrice: UsdPrice = calculateUsdPrice,
): SandboxQuote {
  const rates = calculateRates(purchase, getUsdPrice(purchase.crypto, atMs));
  const paid = parseUnits(purchase.amount, purchase.fiat.digits);
  const net = paid - rates.gas - rates.platformOf(paid);
  if (net <= 0n)
    throw createParamsError([{ param: 'currencyAmount', message: 'does not cover the fees' }]);
  return toQuote(purchase, rates, paid, formatUnits(rates.inCrypto(net), CRYPTO_DIGITS));
}

/**
 * Prices an NFT: converts its price in cryptocurrency to fiat. The quote's `currencyAmount` is the lowest fiat amount
 * that covers both this price and the fees, rounded up to the decimals of the fiat currency.
 *
 * @param purchase - `amount` is the price of the NFT in the cryptocurrency.
 * @param atMs - The time, milliseconds since 1970.
 * @param getUsdPrice - Prices the coin. @default calculateUsdPrice
 */
export function createNftQuote(
  purchase: Purchase,
  atMs: number,
  getUsdPrice: UsdPrice = calculateUsdPrice,
): SandboxQuote {
  const rates = calculateRates(purchase, getUsdPrice(purchase.crypto, atMs));
  const { digits } = purchase.fiat;
  const worth = parseUnits(multiplyDecimals(purchase.amount, rates.unitPrice), digits, 'up');
  const needed = worth + rates.gas;
  const share = 10_000n - BigInt(purchase.option.feeBasisPoints);
  // Because the platform fee is rounded, `enough` may be one unit more than needed. If one unit less suffices, use
  // that.
  const enough = divideUnits(needed * 10_000n, share, 'up');
  const covers = (paid: bigint) => paid - rates.platformOf(paid) >= needed;
  const paid = covers(enough - 1n) ? enough - 1n : enough;
  return toQuote(purchase, rates, paid, purchase.amount);
}

interface Rates {
  /** The fiat price of one unit of the cryptocurrency. */
  readonly unitPrice: string;
  /** The gas fee in the smallest units of the fiat currency, such as cents. */
  readonly gas: bigint;
  platformOf(paid: bigint): bigint;
  /**
   * Converts smallest units of the fiat currency to units of 10^-8 of the cryptocurrency, rounded down. Deducts no
   * fees.
   */
  inCrypto(fiatUnits: bigint): bigint;
}

function calculateRates({ fiat, crypto, option }: Purchase, usdPrice: string): Rates {
  const { digits } = fiat;
  const price = parseUnits(multiplyDecimals(usdPrice, fiat.perUsd), CRYPTO_DIGITS, 'half');
  return {
    unitPrice: formatUnits(price, CRYPTO_DIGITS),
    gas: parseUnits(multiplyDecimals(crypto.gasUsd, fiat.perUsd), digits, 'half'),
    platformOf: (paid) => divideUnits(paid * BigInt(option.feeBasisPoints), 10_000n, 'half'),
    inCrypto: (units) => divideUnits(units * 10n ** BigInt(2 * CRYPTO_DIGITS - digits), price),
  };
}

function toQuote(
  { fiat, crypto }: Purchase,
  { unitPrice, gas, platformOf, inCrypto }: Rates,
  paid: bigint,
  cryptoCurrencyAmount: string,
): SandboxQuote {
  const platform = platformOf(paid);
  return {
    fiatCurrency: fiat.code,
    currencyAmount: formatUnits(paid, fiat.digits),
    cryptoCurrency: crypto.symbol,
    cryptoCurrencyCode: crypto.code,
    network: crypto.network,
    cryptoCurrencyAmount,
    cryptoCurrencyUnitPrice: unitPrice,
    ...formatFees(gas, platform, fiat.digits),
    cryptoFees: formatFees(inCrypto(gas), inCrypto(platform), CRYPTO_DIGITS),
  };
}

function formatFees(gas: bigint, platform: bigint, digits: number): Fees {
  return {
    gasFee: formatUnits(gas, digits),
    platformFee: formatUnits(platform, digits),
    totalFee: formatUnits(gas + platform, digits),
  };
}

/** The time between two price changes. */
export const PRICE_STEP_MS = 10_000;

const PPM = 1_000_000n;

/**
 * The waves that move a price. A `period` is in steps of `PRICE_STEP_MS`; a `weight` is the wave's share of the
 * movement.
 */
const waves = [
  { period: 74, weight: 3 },
  { period: 26, weight: 1 },
] as const;

/**
 * Returns the price of one unit in US dollars at the time `atMs`: the catalog's base price plus two waves, which
 * together deviate by at most the coin's `swingPpm`. The price is exact and depends only on the coin and the time, so
 * it is the same on every network.
 */
export function calculateUsdPrice(coin: CatalogCryptoCurrency, atMs: number): string {
  const { units, scale } = parseDecimal(coin.usd);
  return formatUnits(units * (PPM + calculateOffsetPpm(coin, atMs)), scale + 6);
}

function calculateOffsetPpm({ symbol, swingPpm }: CatalogCryptoCurrency, atMs: number): bigint {
  const step = Math.floor(atMs / PRICE_STEP_MS) + calculatePhase(symbol);
  const weights = waves.reduce((sum, { weight }) => sum + weight, 0);
  return waves.reduce(
    (sum, { period, weight }) =>
      sum +
      BigInt(swingPpm * weight * calculateTriangleWave(step, period)) / BigInt(weights * period),
    0n,
  );
}

/** Returns the value of a triangle wave at `step`, between `-period` and `period`. `period` must be even. */
function calculateTriangleWave(step: number, period: number): number {
  const at = ((step % period) + period) % period;
  return 4 * Math.abs(at - period / 2) - period;
}

/**
 * Returns by how many price steps a coin's waves are shifted. The shift differs between coins, so that they do not all
 * rise together.
 */
const calculatePhase = (symbol: string): number =>
  [...symbol].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 962, 0);

/** Returns why a fiat amount is invalid for a payment option, as a text that follows the name of the parameter. */
export function findAmountIssue(
  { code, digits }: CatalogFiatCurrency,
  { min, max }: CatalogPaymentOption,
  amount: string,
): string | undefined {
  const { pattern, words } = valueFormats.fiatAmount;
  if (!pattern.test(amount)) return `must be ${words}`;
  if (digits === 0 && /\.0*[1-9]/.test(amount)) return `must be a whole number in ${code}`;
  if (compareDecimals(amount, min) < 0) return `must be at least ${min} ${code}`;
  if (compareDecimals(amount, max) > 0) return `must be at most ${max} ${code}`;
  return undefined;
}

/** Returns why the fiat amount of an NFT's price is invalid, as a text that follows the name of the parameter. */
export function findNftAmountIssue(
  { fiat, option }: Purchase,
  { currencyAmount }: SandboxQuote,
): string | undefined {
  const outside = findAmountIssue(fiat, option, currencyAmount);
  return outside && `converts to ${currencyAmount} ${fiat.code}, which ${outside}`;
}
