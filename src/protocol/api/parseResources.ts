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

/** Section 7, for those codes that it names. */
const codeMeanings: Readonly<Record<string, string>> = {
  10002: 'it does not take the parameters; check currencies, amount and payment method',
  10003:
    'it does not accept the signature; check the key, the partner ID, the clock of this server and the address, whose host and path are signed',
};

/** More of them would say nothing new. */
const MAX_ISSUES = 20;

/**
 * The `data` of an envelope (section 2.1). `10000` is success, as a number or as text, and nothing
 * else is.
 *
 * @throws RampError `ERR_API_RESPONSE` with `apiCode` for any other code, `ERR_RESPONSE_INVALID` for
 * what is no envelope.
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
 * The fiat currencies with their payment methods (sections 2.2 and 2.3), from the `data` of an answer.
 *
 * @param data - Read without loss, its numbers as text; a JavaScript number with a fraction is refused.
 * @throws RampError `ERR_RESPONSE_INVALID` with issues
 */
export const parseFiatCurrencies = (data: unknown): FiatCurrency[] =>
  parseResource(wireList(fiatCurrencySchema), data);

/**
 * The cryptocurrencies of a listing, as far as they are known.
 *
 * @throws RampError `ERR_RESPONSE_INVALID` with issues
 */
export const parseCryptoCurrencies = (data: unknown): ListedCryptoCurrency[] =>
  parseResource(wireList(cryptoCurrencySchema), data);

/**
 * A price (section 2.4).
 *
 * @throws RampError `ERR_RESPONSE_INVALID` with issues
 */
export const parseQuote = (data: unknown): Quote => parseResource(quoteSchema, data);

/**
 * A page of orders (section 2.5).
 *
 * @throws RampError `ERR_RESPONSE_INVALID` with issues
 */
export const parseOrderList = (data: unknown): OrderList => parseResource(orderListSchema, data);

/** A page of orders of which some cannot be read. */
export interface OrderPage extends OrderList {
  /** One error for each order that is left out of `list`. */
  readonly malformed: readonly RampError[];
}

/**
 * A page of orders (section 2.5), as far as its orders are well-formed: each of the others is an error
 * that names it by its number, if that can be read, and what is wrong with it, and quotes nothing else.
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

/** What a malformed order is called. */
function describeOrder(entry: unknown): string {
  const { orderId } = Object(entry) as { orderId?: unknown };
  const isName = (typeof orderId === 'string' && orderId) || Number.isSafeInteger(orderId);
  return isName ? `Order ${toPrintable(`${orderId}`, 64)}` : 'An order without a number';
}

/**
 * One order (section 2.6), with what its status means (section 3).
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
    // Too much is wrong to be listed.
    const issue = { code: 'custom', path: [], message: 'is wrong throughout', input: undefined };
    return { success: false as const, issues: [issue as z.core.$ZodIssue] };
  }
}

function toIssue({ path, message }: z.core.$ZodIssue): RampIssue {
  return { param: path.join('.'), message };
}

/** What the service says of itself is quoted: on one line and not too long. */
function toPrintable(text: string, length: number): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ').slice(0, length);
}
