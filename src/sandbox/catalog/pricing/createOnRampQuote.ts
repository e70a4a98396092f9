import { formatUnits } from '../../../protocol/decimal/formatUnits.js';
import { multiplyDecimals } from '../../../protocol/decimal/multiplyDecimals.js';
import { divideUnits, parseUnits } from '../../../protocol/decimal/parseUnits.js';
import { createParamsError } from '../../../protocol/errors/createParamsError.js';
import type { CatalogCryptoCurrency } from '../cryptoCurrencies.js';
import type { CatalogFiatCurrency, CatalogPaymentOption } from '../fiatCurrencies.js';
import { calculateUsdPrice } from './calculateUsdPrice.js';

/** Digits after the point of a unit price, and of a cryptocurrency amount that is delivered. */
const CRYPTO_DIGITS = 8;

/** What is bought, and how it is paid. */
export interface Purchase {
  readonly fiat: CatalogFiatCurrency;
  readonly crypto: CatalogCryptoCurrency;
  /** One of those of `fiat`. */
  readonly option: CatalogPaymentOption;
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
export interface SandboxQuote extends Fees {
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
export function createOnRampQuote(purchase: Purchase, atMs: number): SandboxQuote {
  const rates = calculateRates(purchase, atMs);
  const paid = parseUnits(purchase.amount, purchase.fiat.digits);
  const net = paid - rates.gas - rates.platformOf(paid);
  if (net <= 0n)
    throw createParamsError([{ param: 'currencyAmount', message: 'does not cover the fees' }]);
  return toQuote(purchase, rates, paid, formatUnits(rates.inCrypto(net), CRYPTO_DIGITS));
}

/**
 * Prices an NFT the other way round: the least fiat amount that covers the fees and buys the price,
 * rounded up to what the fiat currency has.
 *
 * @param purchase - `amount` is the price of the NFT in the cryptocurrency.
 * @param atMs - The clock, milliseconds since 1970.
 */
export function createNftQuote(purchase: Purchase, atMs: number): SandboxQuote {
  const rates = calculateRates(purchase, atMs);
  const { digits } = purchase.fiat;
  const worth = parseUnits(multiplyDecimals(purchase.amount, rates.unitPrice), digits, 'up');
  const needed = worth + rates.gas;
  const share = 10_000n - BigInt(purchase.option.feeBasisPoints);
  // The fee is rounded, so the amount may be one unit too much.
  const enough = divideUnits(needed * 10_000n, share, 'up');
  const covers = (paid: bigint) => paid - rates.platformOf(paid) >= needed;
  const paid = covers(enough - 1n) ? enough - 1n : enough;
  return toQuote(purchase, rates, paid, purchase.amount);
}

interface Rates {
  /** Fiat for one. */
  readonly unitPrice: string;
  /** Units of the fiat currency. */
  readonly gas: bigint;
  platformOf(paid: bigint): bigint;
  /** What so many units of the fiat currency buy, without fees; rounded down. */
  inCrypto(fiatUnits: bigint): bigint;
}

function calculateRates({ fiat, crypto, option }: Purchase, atMs: number): Rates {
  const { digits } = fiat;
  const price = parseUnits(
    multiplyDecimals(calculateUsdPrice(crypto, atMs), fiat.perUsd),
    CRYPTO_DIGITS,
    'half',
  );
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
