import * as z from 'zod/mini';
import { createParamsError, type RampIssue } from '../errors/RampError.js';
import { valueFormats } from '../widget/valueFormats.js';
import type { BuyType, QuoteQuery } from './resources.js';

const { token, fiat, fiatAmount, cryptoAmount } = valueFormats;
/**
 * The format of a payment option's name: free text without `&` and `=`, because the signed text joins values without
 * escaping.
 */
const paymentName = {
  pattern: /^[^&=\p{C}\p{Zl}\p{Zp}]+$/u,
  words: 'printable text without & and =',
};

const formatSchema = ({ pattern, words }: { pattern: RegExp; words: string }) =>
  z
    .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') })
    .check(
      z.maxLength(64, { error: 'is longer than 64 characters' }),
      z.regex(pattern, { error: `must be ${words}` }),
    );

const isPositive = (amount: string) => /[1-9]/.test(amount);

const buyType = z.optional(z.enum(['fiat', 'nft'], { error: 'must be fiat or nft' }));

const describeObjectIssue = ({ code }: { readonly code?: string | undefined }) =>
  code === 'unrecognized_keys' ? undefined : 'must be an object';

/** A quote query, with every value as text. JSON Schema cannot express the two refinements of `currencyAmount`. */
export const quoteQuerySchema = z
  .strictObject(
    {
      fiatCurrency: formatSchema(fiat),
      currencyAmount: formatSchema(cryptoAmount).check(
        z.refine(isPositive, { error: 'must be more than 0' }),
      ),
      cryptoCurrencyCode: formatSchema(token),
      payment: z.optional(formatSchema(paymentName)),
      buyType,
    },
    { error: describeObjectIssue },
  )
  .check(({ value, issues }) => {
    if (value.buyType === 'nft' || fiatAmount.pattern.test(value.currencyAmount)) return;
    const message = `must be ${fiatAmount.words}`;
    issues.push({ code: 'custom', path: ['currencyAmount'], message, input: value });
  });

/**
 * Validates a quote query (service interface, section 4.4). Empty values count as absent.
 *
 * @throws RampError `ERR_PARAMS_INVALID` with an issue for each invalid value and unknown name.
 * @example
 * parseQuoteQuery({ fiatCurrency: 'USD', currencyAmount: '100', cryptoCurrencyCode: 'USDT_ERC20' });
 */
export const parseQuoteQuery = (input: unknown): QuoteQuery =>
  parseParams(quoteQuerySchema, input, 'of a quote');

const buyTypeSchema = z.strictObject({ buyType }, { error: describeObjectIssue });

/**
 * Validates the query for the cryptocurrency list (section 4.2).
 *
 * @throws RampError `ERR_PARAMS_INVALID` when `buyType` is neither `fiat` nor `nft`, or the query has an unknown name.
 */
export const parseBuyType = (input: unknown): { readonly buyType?: BuyType | undefined } =>
  parseParams(buyTypeSchema, input, 'of this list');

function parseParams<T>(schema: z.ZodMiniType<T>, input: unknown, of: string): T {
  const given = Object.entries(Object(input)).filter(([, value]) => value !== '' && value != null);
  const result = schema.safeParse(Object.fromEntries(given));
  if (result.success) return result.data;
  const issues = result.error.issues.flatMap((issue): RampIssue[] =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((param) => ({ param, message: `is not a parameter ${of}` }))
      : [{ param: issue.path.join('.'), message: issue.message }],
  );
  throw createParamsError(issues, 'The query was');
}
