import type * as z from 'zod/mini';
import { compareDecimals, isDecimal } from '../decimals.js';
import { RampError, type RampIssue } from '../errors/RampError.js';
import {
  cryptoCurrencySchema,
  envelopeSchema,
  fiatCurrencySchema,
  orderListSchema,
  orderPageSchema,
  orderSchema,
  quoteSchema,
} from './resourceSchemas.js';
import type {
  FiatCurrency,
  ListedCryptoCurrency,
  Order,
  OrderList,
  Quote,
  QuoteQuery,
} from './resources.js';
import { wireList } from './wireValues.js';

/**
 * The meanings of the error codes in section 7 of the service interface. An error's message ends with the meaning of
 * its code.
 */
const codeMeanings: Readonly<Record<string, string>> = {
  10002: 'it rejected the parameters; check currencies, amount and payment method',
  10003:
    'it rejected the signature; check the key, the partner ID, the clock of this server, and the host and path of the address, which are signed',
};

/** The maximum number of issues in an error. More would not help to find the cause. */
const MAX_ISSUES = 20;

/**
 * Returns the `data` of an envelope (section 2.1). Only the code `10000` means success, as a number or as
 * text.
 *
 * @throws RampError `ERR_API_RESPONSE` with `apiCode` for any other code, `ERR_RESPONSE_INVALID`
 * when `json` is not an envelope.
 * @example
 * const currencies = parseFiatCurrencies(parseEnvelope(json));
 */
export function parseEnvelope(json: unknown): unknown {
  const { code, msg = '', data } = parseResource(envelopeSchema, json);
  if (code === '10000') return data;
  const apiCode = toPrintable(code, 20);
  const quoted = msg && ` (“${toPrintable(msg, 1000)}”)`;
  const why = Object.hasOwn(codeMeanings, code) ? `: ${codeMeanings[code]}` : '';
  throw new RampError('ERR_API_RESPONSE', `The service returned code ${apiCode}${quoted}${why}.`, {
    apiCode,
  });
}

/**
 * Parses the fiat currencies with their payment methods (sections 2.2 and 2.3).
 *
 * @param data - The `data` of an envelope, with its numbers parsed as text. A JavaScript number that is not a safe
 * integer is rejected, because it may have lost digits.
 * @throws RampError `ERR_RESPONSE_INVALID` with issues when `data` is malformed.
 */
export const parseFiatCurrencies = (data: unknown): FiatCurrency[] =>
  parseResource(wireList(fiatCurrencySchema), data);

/**
 * Parses a list of cryptocurrencies. Section 4.2 does not define the record, so `raw` keeps every field.
 *
 * @throws RampError `ERR_RESPONSE_INVALID` with issues when `data` is malformed.
 */
export const parseCryptoCurrencies = (data: unknown): ListedCryptoCurrency[] =>
  parseResource(wireList(cryptoCurrencySchema), data);

/**
 * Parses a quote (section 2.4).
 *
 * @param query - The query that was sent. With `buyType: 'nft'`, the quote's `cryptoCurrencyAmount` must equal the
 * query's `currencyAmount`. Section 4.4 defines `currencyAmount` as fiat, so a service could mistake a price of
 * 0.05 ETH for 0.05 EUR.
 * @throws RampError `ERR_RESPONSE_INVALID` with issues when `data` is malformed, or when the quote for an NFT names
 * another amount.
 */
export function parseQuote(data: unknown, query?: QuoteQuery): Quote {
  const quote = parseResource(quoteSchema, data);
  if (query?.buyType !== 'nft') return quote;
  const { cryptoCurrencyAmount: amount } = quote;
  if (isDecimal(amount) && compareDecimals(amount, query.currencyAmount) === 0) return quote;
  const message = 'is not the price of the NFT that was sent as currencyAmount';
  const issue = { path: ['cryptoCurrencyAmount'], message };
  throw createResponseError("The service's response", '4.4', [issue]);
}

/**
 * Parses a page of orders (section 2.5).
 *
 * @throws RampError `ERR_RESPONSE_INVALID` with issues when `data` is malformed.
 */
export const parseOrderList = (data: unknown): OrderList => parseResource(orderListSchema, data);

/** A page of orders, with the malformed ones kept apart. */
export interface OrderPage extends OrderList {
  /** One error for each order that is left out of `list`. */
  readonly malformed: readonly RampError[];
}

/**
 * Parses a page of orders (section 2.5) and separates the malformed orders. For each malformed order, `malformed` holds
 * an error with the order's issues and, if it can be read, the order's ID. The error contains nothing else from the
 * order.
 *
 * @throws RampError `ERR_RESPONSE_INVALID` with issues when the page itself is malformed.
 */
export function parseOrderPage(data: unknown): OrderPage {
  const { list: entries, ...page } = parseResource(orderPageSchema, data);
  const list: Order[] = [];
  const malformed: RampError[] = [];
  for (const entry of entries) {
    const found = validateResource(orderSchema, entry);
    if (found.success) list.push(found.data);
    else malformed.push(createResponseError(describeOrder(entry), '2.6', found.issues));
  }
  return { ...page, list, malformed };
}

/** Returns an error that names an order's unreadable fields, if there are any. */
export function findUnreadable(order: Order): RampError | undefined {
  const names = Object.keys(order.unreadable ?? {});
  const message = 'is not as documented, so it is left out';
  const issues = names.map((name) => ({ path: [name], message }));
  return issues.length > 0 ? createResponseError(describeOrder(order), '2.6', issues) : undefined;
}

/** Names a malformed order for an error message. */
function describeOrder(entry: unknown): string {
  const { orderId } = Object(entry) as { orderId?: unknown };
  const isName = (typeof orderId === 'string' && orderId) || Number.isSafeInteger(orderId);
  return isName ? `Order ${toPrintable(`${orderId}`, 64)}` : 'An order without an orderId';
}

/**
 * Parses an order (section 2.6) and derives its state from the status (section 3).
 *
 * @throws RampError `ERR_RESPONSE_INVALID` with issues when `data` is malformed.
 */
export const parseOrder = (data: unknown): Order => parseResource(orderSchema, data);

function parseResource<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const found = validateResource(schema, value);
  if (found.success) return found.data;
  throw createResponseError("The service's response", '2', found.issues);
}

function createResponseError(
  what: string,
  section: string,
  found: readonly Pick<z.core.$ZodIssue, 'path' | 'message'>[],
): RampError {
  const issues = found.slice(0, MAX_ISSUES).map(toIssue);
  const summary = issues.map(({ param, message }) => `${param || 'it'} ${message}`).join('; ');
  const message = `${what} does not match section ${section} of the service interface: ${summary}.`;
  return new RampError('ERR_RESPONSE_INVALID', message, { issues });
}

function validateResource<T>(schema: z.ZodMiniType<T>, value: unknown) {
  try {
    const result = schema.safeParse(value);
    return result.success ? result : { success: false as const, issues: result.error.issues };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // A hostile value can cause so many issues that collecting them throws a RangeError.
    const issue = {
      code: 'custom',
      path: [],
      message: 'has too many issues to list',
      input: undefined,
    };
    return { success: false as const, issues: [issue as z.core.$ZodIssue] };
  }
}

function toIssue({ path, message }: Pick<z.core.$ZodIssue, 'path' | 'message'>): RampIssue {
  return { param: path.join('.'), message };
}

/**
 * Makes text from the service safe to quote: replaces line breaks and control characters with spaces, and cuts it to
 * `length`.
 */
function toPrintable(text: string, length: number): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ').slice(0, length);
}
