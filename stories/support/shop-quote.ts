import { type Quote, RampError } from '../../src/protocol/index.js';
import {
  compareDecimals,
  decimal,
  decimalText,
  divide,
  times,
  unitsAt,
} from '../../src/sandbox/decimal.js';
import { cryptos, currencies, feeOf, fiats } from './shop-catalog.js';

/** Digits after the point of every amount that arrives. */
const CRYPTO_DIGITS = 8;

/**
 * Prices the question of a quote's URL exactly: `gasFee + platformFee = totalFee`, and
 * `currencyAmount - totalFee` buys `cryptoCurrencyAmount`.
 *
 * @throws RampError `ERR_PARAMS_INVALID` for an amount that is none, `ERR_QUOTE_UNAVAILABLE` for what
 * the shop does not sell or not for so little or so much.
 */
export function priced(query: URLSearchParams): Quote {
  const fiat = fiats.find(({ code }) => code === query.get('fiatCurrency'));
  const crypto = cryptos.find(({ code }) => code === query.get('cryptoCurrencyCode'));
  const paymentOptions =
    currencies.find(({ fiatCurrency }) => fiatCurrency === fiat?.code)?.paymentOptions ?? [];
  const wanted = query.get('payment');
  const payment = wanted ? paymentOptions.find(({ name }) => name === wanted) : paymentOptions[0];
  if (!fiat || !crypto || !payment || query.get('buyType') === 'nft')
    throw unavailable('This is not on offer.');

  const paid = amountIn(fiat.digits, query.get('currencyAmount') ?? '');
  const { minAmount = '0', maxAmount = '0' } = payment;
  const amount = decimalText(paid, fiat.digits);
  if (compareDecimals(amount, minAmount) < 0)
    throw unavailable(`At least ${minAmount} ${fiat.code} with this method.`);
  if (compareDecimals(amount, maxAmount) > 0)
    throw unavailable(`At most ${maxAmount} ${fiat.code} with this method.`);

  const rate = decimal(fiat.perUsd);
  const price = times(decimal(crypto.usd), rate);
  const gas = unitsAt(times(decimal(crypto.gasUsd), rate), fiat.digits, 'half');
  const platform = divide(paid * feeOf(payment.name), 10_000n, 'half');
  const net = paid - gas - platform;
  const bought = divide(
    net * 10n ** BigInt(CRYPTO_DIGITS + price.scale - fiat.digits),
    price.units,
  );
  return {
    fiatCurrency: fiat.code,
    currencyAmount: amount,
    cryptoCurrencyCode: crypto.code,
    cryptoCurrency: crypto.symbol,
    network: crypto.network,
    cryptoCurrencyAmount: decimalText(bought, CRYPTO_DIGITS),
    cryptoCurrencyUnitPrice: decimalText(price.units, price.scale),
    gasFee: decimalText(gas, fiat.digits),
    platformFee: decimalText(platform, fiat.digits),
    totalFee: decimalText(gas + platform, fiat.digits),
    paymentOptions,
  };
}

/** An amount in whole units of what the currency has. */
function amountIn(digits: number, text: string): bigint {
  if (/^\d{1,12}(\.\d{1,2})?$/.test(text)) {
    const units = unitsAt(decimal(text), digits);
    if (compareDecimals(decimalText(units, digits), text) === 0) return units;
  }
  const message = 'must be an amount that the currency has';
  throw new RampError('ERR_PARAMS_INVALID', `The amount ${message}.`, {
    issues: [{ param: 'currencyAmount', message }],
  });
}

const unavailable = (message: string) => new RampError('ERR_QUOTE_UNAVAILABLE', message);
