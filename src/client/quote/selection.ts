import type {
  BuyType,
  CryptoCurrency,
  FiatCurrency,
  PaymentOption,
  QuoteQuery,
} from '../../protocol/api/resources.js';
import { compareAmounts, isDecimal, truncateDecimals } from '../../protocol/decimals.js';
import { unsignedFormats } from '../params/parameterRules.js';

/** The purchase that the shopper has selected in the price card. */
export interface QuoteSelection {
  /**
   * A plain decimal such as `'99.50'`, or `''`. It is in fiat, with at most two decimals. With `buyType: 'nft'` it is
   * the price of the NFT in cryptocurrency, with at most eighteen decimals.
   */
  readonly amount: string;
  /** An ISO code, such as `USD`. */
  readonly fiatCurrency: string;
  /** The service's code for a cryptocurrency, such as `USDT_ERC20`. */
  readonly cryptoCurrencyCode: string;
  /** The `name` of a payment method. If it is absent or unknown, {@link QuotePreview} selects the first one. */
  readonly payment?: string | undefined;
}

/**
 * Converts a selection to a quote query with the service's field names. Returns `undefined` without an amount above 0.
 */
export function toQuoteQuery(
  { amount, payment = '', ...currencies }: QuoteSelection,
  buyType: BuyType | undefined,
): QuoteQuery | undefined {
  if (!/[1-9]/.test(amount)) return undefined;
  return {
    ...currencies,
    currencyAmount: amount,
    // A request with & or = in a value cannot be signed. So request the price without such a payment method.
    payment: /[&=]/.test(payment) ? undefined : payment,
    buyType: buyType === 'nft' ? buyType : undefined,
  };
}

/** A list as a prop: an array, or comma-separated text. */
type ListProp = string | readonly string[] | undefined;

/** The currencies and networks that the partner allows, and those of the user's wallets. An absent list allows all. */
export interface Allowed {
  readonly fiatCurrency?: ListProp;
  readonly cryptoCurrency?: ListProp;
  readonly cryptoNetwork?: ListProp;
  readonly walletChains?: readonly string[] | undefined;
}

export interface Offer {
  readonly fiats: readonly FiatCurrency[];
  readonly cryptos: readonly CryptoCurrency[];
}

export interface Choice {
  readonly selection: QuoteSelection;
  readonly fiat: FiatCurrency;
  readonly crypto: CryptoCurrency;
  /** The chosen payment method, or the first one. */
  readonly method: PaymentOption | undefined;
}

/** The longest code that a backend accepts in a selection. */
const MAX_LENGTH = 64;

/**
 * Returns whether a value from the service's lists may be sent as a parameter. The interface does not define these
 * values, and a checkout with a malformed one is refused on every click.
 */
export function fitsParameter(name: string, value = ''): boolean {
  const { pattern = '' } = unsignedFormats['on-ramp'][name] ?? {};
  return value !== '' && value.length <= MAX_LENGTH && new RegExp(pattern).test(value);
}

/**
 * Returns the allowed part of an offer. A currency whose code the widget does not accept is left out, because the
 * widget would open with another one. A cryptocurrency whose network is unknown counts as allowed, but not as one that
 * the user has a wallet for.
 */
export function filterOffer(offer: Offer, allowed: Allowed): Offer {
  const { walletChains: chains } = allowed;
  const fiats = parseList(allowed.fiatCurrency);
  const codes = parseList(allowed.cryptoCurrency);
  const networks = parseList(allowed.cryptoNetwork);
  return {
    fiats: selectUnique(offer.fiats, ({ fiatCurrency }) => fiatCurrency)
      .filter(
        ({ fiatCurrency }) =>
          fitsParameter('defaultFiatCurrency', fiatCurrency) &&
          (!fiats || fiats.includes(fiatCurrency)),
      )
      .map((fiat) => ({
        ...fiat,
        paymentOptions: selectUnique(fiat.paymentOptions, ({ name }) => name),
      })),
    cryptos: selectUnique(offer.cryptos, ({ cryptoCurrencyCode }) => cryptoCurrencyCode).filter(
      ({ cryptoCurrencyCode, network }) =>
        fitsParameter('defaultCurrency', cryptoCurrencyCode) &&
        (!codes || codes.includes(cryptoCurrencyCode)) &&
        (!networks || !network || networks.includes(network)) &&
        (!chains || chains.includes(network?.replace('_mainnet', '') as string)),
    ),
  };
}

/**
 * Resolves a selection to the wanted currencies if they are available, otherwise to the widget's defaults (service
 * interface, section 4.7), otherwise to the first ones of the offer. Returns `undefined` if the offer contains no fiat
 * currency or no cryptocurrency.
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

/**
 * Returns the selection if the page names all of it, so that its price can be requested before the lists of currencies
 * are known. {@link resolveChoice} makes the same selection once the lists have loaded, if the service offers it.
 *
 * @param omitPayment - Whether a price needs no payment method.
 */
export function findNamedSelection(
  allowed: Allowed,
  wanted: { readonly [K in keyof QuoteSelection]?: QuoteSelection[K] | undefined },
  digits: number,
  omitPayment: boolean,
): QuoteSelection | undefined {
  const { amount, payment } = wanted;
  const fiatCurrency = findNamedCode(wanted.fiatCurrency, allowed.fiatCurrency);
  const cryptoCurrencyCode = findNamedCode(wanted.cryptoCurrencyCode, allowed.cryptoCurrency);
  if (!isDecimal(amount) || !(payment || omitPayment)) return undefined;
  if (!fitsParameter('defaultFiatCurrency', fiatCurrency)) return undefined;
  if (!fitsParameter('defaultCurrency', cryptoCurrencyCode)) return undefined;
  return {
    amount: truncateDecimals(amount, digits),
    fiatCurrency: `${fiatCurrency}`,
    cryptoCurrencyCode: `${cryptoCurrencyCode}`,
    payment,
  };
}

/** Returns the wanted code if the list allows it, or else the first code of the list. */
function findNamedCode(wanted: string | undefined, list: ListProp): string | undefined {
  const codes = parseList(list);
  return wanted && (!codes || codes.includes(wanted)) ? wanted : codes?.[0];
}

/** Returns the codes of a list, or `null` for text without any. No code contains a space. */
const parseList = (list: ListProp): readonly string[] | null | undefined =>
  typeof list === 'string' ? list.match(/[^\s,]+/g) : list;

/** Keeps one entry for each code, because the shopper could not select several entries with the same code. */
const selectUnique = <T>(entries: readonly T[], codeOf: (entry: T) => string): readonly T[] => [
  ...new Map(entries.map((entry) => [codeOf(entry), entry])).values(),
];

/** Returns the entry of the first code in `codes` that has an entry, or else the first entry. */
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

/** A payment method's limit that an amount violates. */
export interface AmountLimit {
  readonly status: 'below' | 'above';
  /** The minimum or maximum payment, rounded to two decimals so that it can be paid. */
  readonly limit: string;
}

/** Returns the payment method's limit that an amount violates, if any. A method may have no limits. */
export function findExceededLimit(
  amount: string,
  { minAmount, maxAmount }: Partial<PaymentOption> = {},
): AmountLimit | undefined {
  if (isDecimal(minAmount) && compareAmounts(amount, minAmount) < 0)
    return { status: 'below', limit: toPayableLimit(minAmount, 1n) };
  if (isDecimal(maxAmount) && compareAmounts(amount, maxAmount) > 0)
    return { status: 'above', limit: toPayableLimit(maxAmount, 0n) };
  return undefined;
}

/**
 * Rounds a limit to an amount that can be paid, which has at most two decimals (service interface, section 2).
 * Trailing zeros are removed.
 *
 * @param roundUp - `1n` for a minimum, which is rounded up; `0n` for a maximum, which is rounded down.
 */
function toPayableLimit(limit: string, roundUp: 0n | 1n): string {
  const [whole = '', fraction = ''] = limit.split('.');
  const hasRest = /[1-9]/.test(fraction.slice(2));
  const cents = BigInt(whole + fraction.slice(0, 2).padEnd(2, '0')) + (hasRest ? roundUp : 0n);
  const text = `${cents}`.padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)}`.replace(/\.?0+$/, '');
}

/** Preset amounts as a page passes them: a list, or one list per fiat currency. */
type Presets = readonly string[] | Readonly<Record<string, readonly string[] | undefined>>;

/** Returns the preset amounts of a fiat currency that are within the limits of the payment method. */
export const listPresets = (
  presets: Presets = [],
  fiatCurrency: string,
  method: PaymentOption | undefined,
): readonly string[] =>
  (isList(presets) ? presets : (presets[fiatCurrency] ?? [])).filter(
    (amount) => isDecimal(amount) && !findExceededLimit(amount, method),
  );

const isList = (presets: Presets): presets is readonly string[] => Array.isArray(presets);
