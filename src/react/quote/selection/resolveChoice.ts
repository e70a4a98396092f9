import type {
  CryptoCurrency,
  FiatCurrency,
  PaymentOption,
} from '../../../protocol/api/resources.js';
import { isDecimal } from '../../../protocol/decimal/parseDecimal.js';
import type { QuoteSelection } from './QuotePreviewState.js';

/** A list as a prop: an array, or text with commas. */
type ListProp = string | readonly string[] | undefined;

/** What the partner allows of what the service offers. Absent is all. */
export interface Allowed {
  readonly fiatCurrency?: ListProp;
  readonly cryptoCurrency?: ListProp;
  readonly cryptoNetwork?: ListProp;
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
export function filterOffer(offer: Offer, allowed: Allowed): Offer {
  const fiats = parseList(allowed.fiatCurrency);
  const codes = parseList(allowed.cryptoCurrency);
  const networks = parseList(allowed.cryptoNetwork);
  return {
    fiats: uniqueBy(offer.fiats, ({ fiatCurrency }) => fiatCurrency)
      .filter(({ fiatCurrency }) => !fiats || fiats.includes(fiatCurrency))
      .map((fiat) => ({
        ...fiat,
        paymentOptions: uniqueBy(fiat.paymentOptions, ({ name }) => name),
      })),
    cryptos: uniqueBy(offer.cryptos, ({ cryptoCurrencyCode }) => cryptoCurrencyCode).filter(
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

/** No more digits after the point than may be asked for. */
const truncateDecimals = (amount: string, digits: number) =>
  amount.replace(new RegExp(`(\\.\\d{${digits}})\\d+$`), '$1');

/** One of each: what stands twice in a list could not be chosen. */
const uniqueBy = <T>(entries: readonly T[], codeOf: (entry: T) => string): readonly T[] => [
  ...new Map(entries.map((entry) => [codeOf(entry), entry])).values(),
];

/** The entry with the first of these codes that is there, or the first entry. */
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
