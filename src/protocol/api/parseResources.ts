import type * as z from 'zod/mini';
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
import type { FiatCurrency, ListedCryptoCurrency, Order, OrderList, Quote } from './resources.js';
import { wireList } from './wireValues.js';

/** The meaning of the codes that section 7 names. */
const codeMeanings: Readonly<Record<string, string>> = {
  10002: 'it does not take the parameters; check currencies, amount and payment method',
  10003:
    'it does not accept the signature; check the key, the partner ID, the clock of this server and the address, whose host and path are signed',
};

/** Further issues would add nothing. */
const MAX_ISSUES = 20;

/**
 * Returns the `data` of an envelope (section 2.1). Only the code `10000` is success, as a number or as
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
  const said = msg && ` (“${toPrintable(msg, 1000)}”)`;
  const why = Object.hasOwn(codeMeanings, code) ? `: ${codeMeanings[code]}` : '';
  throw new RampError('ERR_API_RESPONSE', `The service answered ${apiCode}${said}${why}.`, {
    apiCode,
  });
}

/**
 * Parses the fiat currencies with their payment methods (sections 2.2 and 2.3).
 *
 * @param data - The `data` of an envelope, its numbers parsed as text. A JavaScript number with a
 * fraction is rejected, because it may have lost digits.
 * @throws RampError `ERR_RESPONSE_INVALID` with issues
 */
export const parseFiatCurrencies = (data: unknown): FiatCurrency[] =>
  parseResource(wireList(fiatCurrencySchema), data);

/**
 * Parses a list of cryptocurrencies. Section 4.2 does not define the record, so unknown fields are kept in `raw`.
 *
 * @throws RampError `ERR_RESPONSE_INVALID` with issues
 */
export const parseCryptoCurrencies = (data: unknown): ListedCryptoCurrency[] =>
  parseResource(wireList(cryptoCurrencySchema), data);

/**
 * Parses a quote (section 2.4).
 *
 * @throws RampError `ERR_RESPONSE_INVALID` with issues
 */
export const parseQuote = (data: unknown): Quote => parseResource(quoteSchema, data);

/**
 * Parses a page of orders (section 2.5).
 *
 * @throws RampError `ERR_RESPONSE_INVALID` with issues
 */
export const parseOrderList = (data: unknown): OrderList => parseResource(orderListSchema, data);

/** A page of orders, some of which may be malformed. */
export interface OrderPage extends OrderList {
  /** One error for each order that is left out of `list`. */
  readonly malformed: readonly RampError[];
}

/**
 * Parses a page of orders (section 2.5) and separates the malformed ones. Each of them becomes an error
 * with the order's ID, if it is legible, and its issues, and with nothing else of its content.
 *
 * @throws RampError `ERR_RESPONSE_INVALID` with issues when the page itself is malformed
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

/** Names a malformed order for an error message. */
function describeOrder(entry: unknown): string {
  const { orderId } = Object(entry) as { orderId?: unknown };
  const isName = (typeof orderId === 'string' && orderId) || Number.isSafeInteger(orderId);
  return isName ? `Order ${toPrintable(`${orderId}`, 64)}` : 'An order without a number';
}

/**
 * Parses an order (section 2.6) and derives its state from the status (section 3).
 *
 * @throws RampError `ERR_RESPONSE_INVALID` with issues
 */
export const parseOrder = (data: unknown): Order => parseResource(orderSchema, data);

function parseResource<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const found = validateResource(schema, value);
  if (found.success) return found.data;
  throw createResponseError("The service's answer", '2', found.issues);
}

function createResponseError(
  what: string,
  section: string,
  found: readonly z.core.$ZodIssue[],
): RampError {
  const issues = found.slice(0, MAX_ISSUES).map(toIssue);
  const summary = issues.map(({ param, message }) => `${param || 'it'} ${message}`).join('; ');
  const message = `${what} is not as section ${section} describes it: ${summary}.`;
  return new RampError('ERR_RESPONSE_INVALID', message, { issues });
}

function validateResource<T>(schema: z.ZodMiniType<T>, value: unknown) {
  try {
    const result = schema.safeParse(value);
    return result.success ? result : { success: false as const, issues: result.error.issues };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // The issues of a hostile value can exceed the limits of an array.
    const issue = { code: 'custom', path: [], message: 'is wrong throughout', input: undefined };
    return { success: false as const, issues: [issue as z.core.$ZodIssue] };
  }
}

function toIssue({ path, message }: z.core.$ZodIssue): RampIssue {
  return { param: path.join('.'), message };
}

/** Makes a text of the service safe to quote: one line of limited length. */
function toPrintable(text: string, length: number): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ').slice(0, length);
}
