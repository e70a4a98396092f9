import type { CryptoCurrency, FiatCurrency, PaymentOption } from '../../src/protocol/index.js';
import * as sandbox from '../../src/sandbox/catalog.js';

/** What a payment method costs, in hundredths of a percent. Those not named here: 250. */
const feeBasisPoints: Readonly<Record<string, bigint>> = { SEPA: 90n, PIX: 120n, KONBINI: 180n };

export const feeOf = (payment: string): bigint => feeBasisPoints[payment] ?? 250n;

function method(name: string, minutes: [number, number], limits: [string, string]): PaymentOption {
  const [minMinutes, maxMinutes] = minutes;
  const [minAmount, maxAmount] = limits;
  return {
    name,
    processingTime: { text: `${minMinutes} - ${maxMinutes}Min`, minMinutes, maxMinutes },
    minAmount,
    maxAmount,
  };
}

const methods: Readonly<Record<string, readonly PaymentOption[]>> = {
  USD: [
    method('CREDIT_DEBIT_CARD', [3, 7], ['15', '5000']),
    method('APPLE_PAY', [3, 7], ['15', '2000']),
    method('GOOGLE_PAY', [3, 7], ['15', '2000']),
  ],
  EUR: [
    method('CREDIT_DEBIT_CARD', [3, 7], ['15', '5000']),
    method('SEPA', [30, 1440], ['25', '15000']),
    method('APPLE_PAY', [3, 7], ['15', '2000']),
  ],
  JPY: [
    method('CREDIT_DEBIT_CARD', [3, 7], ['2500', '750000']),
    method('KONBINI', [10, 60], ['2500', '300000']),
  ],
  BRL: [
    method('PIX', [1, 5], ['50', '25000']),
    method('CREDIT_DEBIT_CARD', [3, 7], ['80', '25000']),
  ],
};

const soldCodes = [
  'USDT_ERC20',
  'USDT_TRC20',
  'USDC_ERC20',
  'USDC_Polygon',
  'USDC_Solana',
  'ETH',
  'BTC',
  'SOL',
];

/** Rates and names are the sandbox's, so that a story and the demo say the same. */
export const fiats = sandbox.fiatCurrencies.filter(({ code }) => code in methods);
export const cryptos = sandbox.cryptoCurrencies.filter(({ code }) => soldCodes.includes(code));

/** What the shop of the stories takes. */
export const currencies: readonly FiatCurrency[] = fiats.map(({ code, name }) => ({
  fiatCurrency: code,
  name,
  paymentOptions: methods[code] ?? [],
}));

/** What it sells. */
export const cryptoCurrencies: readonly CryptoCurrency[] = cryptos.map(
  ({ code, symbol, network }) => ({ cryptoCurrencyCode: code, cryptoCurrency: symbol, network }),
);
