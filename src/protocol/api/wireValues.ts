import * as z from 'zod/mini';

/** No amount of money is longer; it bounds what an exponent can blow up to. */
const MAX_DIGITS = 100;
const DECIMAL = /^(-?)(\d{1,100})(?:\.(\d{1,100}))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * A decimal as the service writes it, number or text, without its exponent if it has one; every
 * digit stays, trailing zeros too. Nothing when it is no decimal.
 */
function expandExponent(text: string): string | undefined {
  const [, sign, whole, fraction = '', exponent] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) return undefined;
  if (exponent === undefined) return text;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (Math.abs(point) > MAX_DIGITS) return undefined;
  const padded = digits.padEnd(point, '0').padStart(digits.length + Math.max(0, 1 - point), '0');
  const at = Math.max(point, 1);
  const rest = padded.slice(at);
  return `${sign}${padded.slice(0, at)}${rest && `.${rest}`}`;
}

/**
 * A single value of the wire. Numbers may have been read as text, to lose no digit; of JavaScript's
 * own numbers whole ones alone are taken, as any other has lost digits already.
 */
function wireValue<T>(words: string, read: (text: string) => T | undefined) {
  return z.transform<unknown, T>((input, context) => {
    const text = Number.isSafeInteger(input) ? String(input) : input;
    const value = typeof text === 'string' ? read(text) : undefined;
    if (value !== undefined) return value;
    const lossy = typeof input === 'number' ? ', read from the JSON without loss' : '';
    const message = `must be ${words}${lossy}`;
    context.issues.push({ code: 'custom', message, input });
    return z.NEVER;
  });
}

const matchPattern = <T>(pattern: RegExp, convert: (text: string) => T) => {
  return (text: string) => (pattern.test(text) ? convert(text) : undefined);
};

export const wireText = wireValue('text', (text) => text);
export const wireDecimal = wireValue('a decimal number', expandExponent);
/** A time, Unix seconds. */
export const wireSeconds = wireValue(
  'a Unix time in seconds',
  matchPattern(/^\d{1,11}$/, (text) => Number(text)),
);
export const wireCount = wireValue(
  'a whole number',
  matchPattern(/^\d{1,15}$/, (text) => Number(text)),
);

/** Takes anything, as it came from the wire. */
type Wire<T> = z.ZodMiniType<T, unknown>;

/** Section 2.1: a field without a value is an empty string. */
const omitEmpty = (value: unknown): unknown => (value === '' || value === null ? undefined : value);

/** A field that must have a value. */
export const requiredField = <T>(schema: Wire<T>): Wire<T> =>
  z.pipe(
    z.transform((input: unknown, context): unknown => {
      const value = omitEmpty(input);
      if (value === undefined)
        context.issues.push({ code: 'custom', message: 'is missing', input, continue: false });
      return value;
    }),
    schema,
  );

/** A field that may have none. */
export const optionalField = <T>(schema: Wire<T>): Wire<T | undefined> =>
  z.pipe(z.transform(omitEmpty), z.optional(schema));

/** So long is no list of the service; what is wrong with each entry would fill the memory. */
const MAX_ENTRIES = 10_000;

/** A list, or an empty string for one without entries. */
export const wireList = <T>(schema: Wire<T>): Wire<T[]> =>
  z.pipe(
    z.transform((input: unknown, context): unknown[] => {
      if (input === '') return [];
      const isList = Array.isArray(input);
      if (isList && input.length <= MAX_ENTRIES) return input;
      const message = isList ? `has more than ${MAX_ENTRIES} entries` : 'must be a list';
      context.issues.push({ code: 'custom', message, input, continue: false });
      return z.NEVER;
    }),
    z.array(schema),
  );

/** A list that may also come as its only element, or not at all. */
export const listField = <T>(schema: Wire<T>): Wire<T[]> =>
  z.pipe(
    z.transform((input: unknown): unknown => {
      const value = omitEmpty(input);
      return value === undefined ? [] : Array.isArray(value) ? value : [value];
    }),
    wireList(schema),
  );
