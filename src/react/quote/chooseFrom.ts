import { isDecimal } from '../../protocol/compareDecimals.js';
import type { CryptoCurrency, FiatCurrency, PaymentOption } from '../../protocol/resources.js';
import type { QuoteSelection } from './quote-preview-types.js';

/** A list as a prop: an array, or text with commas. */
type Listed = string | readonly string[] | undefined;

/** What the partner allows of what the service offers. Absent is all. */
export interface Allowed {
  readonly fiatCurrency?: Listed;
  readonly cryptoCurrency?: Listed;
  readonly cryptoNetwork?: Listed;
}

/** What may be chosen. */
export interface Offer {
  readonly fiats: readonly FiatCurrency[];
  readonly cryptos: readonly CryptoCurrency[];
}

/** What is chosen, with what is known of it. */
export interface Choice {
  readonly selection: QuoteSelection;
  readonly fiat: FiatCurrency;
  readonly crypto: CryptoCurrency;
  /** The chosen payment method; the first where none is chosen. */
  readonly method: PaymentOption | undefined;
}

/** The part of an offer that is allowed. A currency whose network is not known is not held back. */
export function allowedOf(offer: Offer, allowed: Allowed): Offer {
  const fiats = listOf(allowed.fiatCurrency);
  const codes = listOf(allowed.cryptoCurrency);
  const networks = listOf(allowed.cryptoNetwork);
  return {
    fiats: once(offer.fiats, ({ fiatCurrency }) => fiatCurrency)
      .filter(({ fiatCurrency }) => !fiats || fiats.includes(fiatCurrency))
      .map((fiat) => ({ ...fiat, paymentOptions: once(fiat.paymentOptions, ({ name }) => name) })),
    cryptos: once(offer.cryptos, ({ cryptoCurrencyCode }) => cryptoCurrencyCode).filter(
      ({ cryptoCurrencyCode, network }) =>
        (!codes || codes.includes(cryptoCurrencyCode)) &&
        (!networks || !network || networks.includes(network)),
    ),
  };
}

/**
 * What is chosen of an offer: what is wanted as far as it is there, otherwise what the widget starts
 * with (section 4.7). Nothing where nothing is offered.
 */
export function chooseFrom(
  { fiats, cryptos }: Offer,
  allowed: Allowed,
  wanted: { readonly [K in keyof QuoteSelection]?: QuoteSelection[K] | undefined },
  digits: number,
): Choice | undefined {
  const fiat = firstOf(fiats, ({ fiatCurrency }) => fiatCurrency, [
    wanted.fiatCurrency,
    ...(listOf(allowed.fiatCurrency) ?? ['USD']),
  ]);
  const crypto = firstOf(cryptos, ({ cryptoCurrencyCode }) => cryptoCurrencyCode, [
    wanted.cryptoCurrencyCode,
    ...(listOf(allowed.cryptoCurrency) ?? ['USDT_ERC20']),
  ]);
  if (!fiat || !crypto) return undefined;
  const method = firstOf(fiat.paymentOptions, ({ name }) => name, [wanted.payment]);
  return {
    fiat,
    crypto,
    method,
    selection: {
      amount: isDecimal(wanted.amount) ? cut(wanted.amount, digits) : '',
      fiatCurrency: fiat.fiatCurrency,
      cryptoCurrencyCode: crypto.cryptoCurrencyCode,
      ...(method && { payment: method.name }),
    },
  };
}

const listOf = (list: Listed): readonly string[] | undefined =>
  list === '' ? undefined : typeof list === 'string' ? list.split(',').map(trimmed) : list;

const trimmed = (code: string) => code.trim();

/** No more digits after the point than may be asked for. */
const cut = (amount: string, digits: number) =>
  amount.replace(new RegExp(`(\\.\\d{${digits}})\\d+$`), '$1');

/** One of each: what stands twice in a list could not be chosen. */
const once = <T>(entries: readonly T[], codeOf: (entry: T) => string): readonly T[] => [
  ...new Map(entries.map((entry) => [codeOf(entry), entry])).values(),
];

/** The entry with the first of these codes that is there, or the first entry. */
function firstOf<T>(
  entries: readonly T[],
  codeOf: (entry: T) => string,
  codes: readonly (string | undefined)[],
): T | undefined {
  for (const code of codes) {
    const found = entries.find((entry) => codeOf(entry) === code);
    if (found) return found;
  }
  return entries[0];
}
