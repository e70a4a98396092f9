import * as z from 'zod/mini';
import { RampError, type RampIssue } from './ramp-error.js';
import {
  cryptoCurrencySchema,
  envelopeSchema,
  fiatCurrencySchema,
  orderListSchema,
  orderSchema,
  quoteSchema,
} from './resource-schemas.js';
import type { FiatCurrency, ListedCryptoCurrency, Order, OrderList, Quote } from './resources.js';
import { NOT_A_LIST } from './wire-values.js';

/** Section 7, for those codes that it names. */
const meaningOfCode: Readonly<Record<string, string>> = {
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
  const { code, msg = '', data } = parsed(envelopeSchema, json);
  if (code === '10000') return data;
  const apiCode = printable(code, 20);
  const said = msg && ` (“${printable(msg, 1000)}”)`;
  const why = Object.hasOwn(meaningOfCode, code) ? `: ${meaningOfCode[code]}` : '';
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
  parsed(z.array(fiatCurrencySchema, { error: NOT_A_LIST }), emptyAsList(data));

/**
 * The cryptocurrencies of a listing, as far as they are known.
 *
 * @throws RampError `ERR_RESPONSE_INVALID` with issues
 */
export const parseCryptoCurrencies = (data: unknown): ListedCryptoCurrency[] =>
  parsed(z.array(cryptoCurrencySchema, { error: NOT_A_LIST }), emptyAsList(data));

/**
 * A price (section 2.4).
 *
 * @throws RampError `ERR_RESPONSE_INVALID` with issues
 */
export const parseQuote = (data: unknown): Quote => parsed(quoteSchema, data);

/**
 * A page of orders (section 2.5).
 *
 * @throws RampError `ERR_RESPONSE_INVALID` with issues
 */
export const parseOrderList = (data: unknown): OrderList => parsed(orderListSchema, data);

/**
 * One order (section 2.6), with what its status means (section 3).
 *
 * @throws RampError `ERR_RESPONSE_INVALID` with issues
 */
export const parseOrder = (data: unknown): Order => parsed(orderSchema, data);

/** A list without entries may be an empty string (section 2.1); nothing at all is no list. */
const emptyAsList = (data: unknown) => (data === '' ? [] : data);

function parsed<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.slice(0, MAX_ISSUES).map(toIssue);
  const summary = issues.map(({ param, message }) => `${param || 'it'} ${message}`).join('; ');
  throw new RampError(
    'ERR_RESPONSE_INVALID',
    `The service's answer is not as section 2 describes it: ${summary}.`,
    { issues },
  );
}

function toIssue({ path, message }: z.core.$ZodIssue): RampIssue {
  return { param: path.join('.'), message };
}

/** What the service says of itself is quoted: on one line and not too long. */
function printable(text: string, length: number): string {
  return text.replace(/[^\P{C} ]/gu, ' ').slice(0, length);
}
