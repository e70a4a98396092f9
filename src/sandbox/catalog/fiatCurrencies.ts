import type { PaymentName } from './icons.js';

/** A payment method of one currency. Amounts are decimal strings in that currency. */
export interface CatalogPaymentOption {
  /** The name that the API uses, such as `CREDIT_DEBIT_CARD`. */
  readonly name: PaymentName;
  readonly min: string;
  readonly max: string;
  /** The processing fee in hundredths of a percent of the amount. */
  readonly feeBasisPoints: number;
  /** The shortest and the longest processing time in minutes. */
  readonly minutes: readonly [min: number, max: number];
}

export interface CatalogFiatCurrency {
  /** ISO code. */
  readonly code: string;
  readonly name: string;
  /** The price of one US dollar in this currency. It never changes. */
  readonly perUsd: string;
  /** The number of decimals of the currency. */
  readonly digits: 0 | 2;
  /**
   * The first option is always a card. The hosted widget offers only the card, and a quote without `payment` uses it.
   */
  readonly paymentOptions: readonly [CatalogPaymentOption, ...CatalogPaymentOption[]];
}

type Limits = readonly [min: string, max: string];

const createOption =
  (
    name: PaymentName,
    feeBasisPoints: number,
    minutes: CatalogPaymentOption['minutes'],
  ): ((...limits: Limits) => CatalogPaymentOption) =>
  (min, max) => ({ name, min, max, feeBasisPoints, minutes });

const creditDebitCard = createOption('CREDIT_DEBIT_CARD', 250, [3, 7]);
const cardPayment = createOption('CARD_PAYMENT', 290, [3, 10]);
const bankCardTransfer = createOption('BANK_CARD_TRANSFER', 150, [10, 30]);
const achTransfer = createOption('ACH_TRANSFER', 75, [60, 240]);
const sepaInstant = createOption('SEPA_INSTANT', 60, [1, 5]);
const fasterPayments = createOption('FASTER_PAYMENTS', 60, [1, 10]);
const convenienceStore = createOption('CONVENIENCE_STORE', 320, [15, 90]);
const pix = createOption('PIX', 99, [1, 3]);
const promptPay = createOption('PROMPT_PAY', 110, [1, 5]);

export const fiatCurrencies: readonly CatalogFiatCurrency[] = [
  {
    code: 'USD',
    name: 'US dollar',
    perUsd: '1',
    digits: 2,
    paymentOptions: [
      creditDebitCard('15', '5000'),
      bankCardTransfer('50', '20000'),
      achTransfer('100', '50000'),
    ],
  },
  {
    code: 'EUR',
    name: 'Euro',
    perUsd: '0.92',
    digits: 2,
    paymentOptions: [
      creditDebitCard('15', '5000'),
      sepaInstant('10', '15000'),
      bankCardTransfer('50', '20000'),
    ],
  },
  {
    code: 'GBP',
    name: 'Pound sterling',
    perUsd: '0.79',
    digits: 2,
    paymentOptions: [creditDebitCard('15', '4000'), fasterPayments('10', '12500.50')],
  },
  {
    code: 'CHF',
    name: 'Swiss franc',
    perUsd: '0.88',
    digits: 2,
    paymentOptions: [creditDebitCard('15', '4500')],
  },
  {
    code: 'JPY',
    name: 'Japanese yen',
    perUsd: '151.20',
    digits: 0,
    paymentOptions: [creditDebitCard('2500', '750000'), convenienceStore('2000', '300000')],
  },
  {
    code: 'BRL',
    name: 'Brazilian real',
    perUsd: '5.43',
    digits: 2,
    paymentOptions: [
      creditDebitCard('80', '25000'),
      pix('40', '60000'),
      bankCardTransfer('250', '90000'),
    ],
  },
  {
    code: 'THB',
    name: 'Thai baht',
    perUsd: '34.60',
    digits: 2,
    paymentOptions: [creditDebitCard('550', '170000'), promptPay('350', '400000')],
  },
  {
    code: 'AED',
    name: 'UAE dirham',
    perUsd: '3.6725',
    digits: 2,
    paymentOptions: [cardPayment('60', '18000')],
  },
];
