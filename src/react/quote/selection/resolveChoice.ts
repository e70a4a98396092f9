import type {
  CryptoCurrency,
  FiatCurrency,
  PaymentOption,
} from '../../../protocol/api/resources.js';
import { isDecimal } from '../../../protocol/decimals.js';
import type { QuoteSelection } from './QuotePreviewState.js';

/** A list as a prop: an array, or comma-separated text. */
type ListProp = string | readonly string[] | undefined;

/** The currencies and networks that the partner allows. An absent list allows all. */
export interface Allowed {
  readonly fiatCurrency?: ListProp;
  readonly cryptoCurrency?: ListProp;
  readonly cryptoNetwork?: ListProp;
}

/** The currencies that can be chosen. */
export interface Offer {
  readonly fiats: readonly FiatCurrency[];
  readonly cryptos: readonly CryptoCurrency[];
}

/** A selection, with the currencies and the payment method that it names. */
export interface Choice {
  readonly selection: QuoteSelection;
  readonly fiat: FiatCurrency;
  readonly crypto: CryptoCurrency;
  /** The chosen payment method, or the first one. */
  readonly method: PaymentOption | undefined;
}

/** Returns the allowed part of an offer. A currency with an unknown network is allowed. */
export function filterOffer(offer: Offer, allowed: Allowed): Offer {
  const fiats = parseList(allowed.fiatCurrency);
  const codes = parseList(allowed.cryptoCurrency);
  const networks = parseList(allowed.cryptoNetwork);
  return {
    fiats: selectUnique(offer.fiats, ({ fiatCurrency }) => fiatCurrency)
      .filter(({ fiatCurrency }) => !fiats || fiats.includes(fiatCurrency))
      .map((fiat) => ({
        ...fiat,
        paymentOptions: selectUnique(fiat.paymentOptions, ({ name }) => name),
      })),
    cryptos: selectUnique(offer.cryptos, ({ cryptoCurrencyCode }) => cryptoCurrencyCode).filter(
      ({ cryptoCurrencyCode, network }) =>
        (!codes || codes.includes(cryptoCurrencyCode)) &&
        (!networks || !network || networks.includes(network)),
    ),
  };
}

/**
 * Resolves a selection: the wanted currencies if they are available, otherwise the defaults of the widget
 * (docs/service-interface.md section 4.7), otherwise the first ones. Returns `undefined` without an offer.
 */
export function resolveChoice(
  { fiats, cryptos }: Offer,
  allowed: Allowed,
  wanted: { readonly [K in keyof QuoteSelection]?: QuoteSelection[K] | undefined },
  digits: number,
): Choice | undefined {
  const fiat = findFirst(fiats, ({ fiatCurrency }) => fiatCurrency, [
    wanted.fiatCurrency,
    ...(parseList(allowed.fiatCurrency) ?? ['USD']),
  ]);
  const crypto = findFirst(cryptos, ({ cryptoCurrencyCode }) => cryptoCurrencyCode, [
    wanted.cryptoCurrencyCode,
    ...(parseList(allowed.cryptoCurrency) ?? ['USDT_ERC20']),
  ]);
  if (!fiat || !crypto) return undefined;
  const method = findFirst(fiat.paymentOptions, ({ name }) => name, [wanted.payment]);
  return {
    fiat,
    crypto,
    method,
    selection: {
      amount: isDecimal(wanted.amount) ? truncateDecimals(wanted.amount, digits) : '',
      fiatCurrency: fiat.fiatCurrency,
      cryptoCurrencyCode: crypto.cryptoCurrencyCode,
      ...(method && { payment: method.name }),
    },
  };
}

const parseList = (list: ListProp): readonly string[] | undefined =>
  list === '' ? undefined : typeof list === 'string' ? list.split(',').map(trim) : list;

const trim = (code: string) => code.trim();

/** Drops decimals beyond the maximum of a quote. */
const truncateDecimals = (amount: string, digits: number) =>
  amount.replace(new RegExp(`(\\.\\d{${digits}})\\d+$`), '$1');

/** Removes duplicates: a code that is listed twice could not be selected. */
const selectUnique = <T>(entries: readonly T[], codeOf: (entry: T) => string): readonly T[] => [
  ...new Map(entries.map((entry) => [codeOf(entry), entry])).values(),
];

/** Returns the entry with the first of these codes that exists, or else the first entry. */
function findFirst<T>(
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
