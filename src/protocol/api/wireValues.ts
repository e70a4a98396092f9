import * as z from 'zod/mini';

/**
 * The limit for expanding an exponent: the result has at most this many digits before the decimal point, and at most
 * this many zeros directly after it. No real amount needs more.
 */
const MAX_DIGITS = 100;
const DECIMAL = /^(-?)(\d{1,100})(?:\.(\d{1,100}))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Writes a decimal such as `1.5e-7` without its exponent and keeps every digit, including trailing zeros. Returns
 * `undefined` for a text that is not a decimal or has too many digits.
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
 * Creates the schema of a single value in a response. The JSON parser may return a number as text to keep every
 * digit. A JavaScript number is accepted only if it is a safe integer, because any other number may have lost digits.
 */
function wireValue<T>(words: string, read: (text: string) => T | undefined) {
  return z.transform<unknown, T>((input, context) => {
    const text = Number.isSafeInteger(input) ? String(input) : input;
    const value = typeof text === 'string' ? read(text) : undefined;
    if (value !== undefined) return value;
    const lossy = typeof input === 'number' ? ', parsed from the JSON without loss' : '';
    const message = `must be ${words}${lossy}`;
    context.issues.push({ code: 'custom', message, input });
    return z.NEVER;
  });
}

const matchPattern = <T>(pattern: RegExp, convert: (text: string) => T) => {
  return (text: string) => (pattern.test(text) ? convert(text) : undefined);
};

export const wireText = wireValue('text', (text) => text);
/** An amount. The result is a decimal string without an exponent. */
export const wireDecimal = wireValue('a decimal number', expandExponent);
const wireSeconds = wireValue(
  'a Unix time in seconds',
  matchPattern(/^\d{1,11}$/, (text) => Number(text)),
);
export const wireCount = wireValue(
  'a whole number',
  matchPattern(/^\d{1,15}$/, (text) => Number(text)),
);

/** A schema that accepts any value of a response as input. */
type Wire<T> = z.ZodMiniType<T, unknown>;

/**
 * Returns `undefined` for an empty value. The service sends `''` for a field without a value
 * (service interface, section 2.1).
 */
const omitEmpty = (value: unknown): unknown => (value === '' || value === null ? undefined : value);

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

export const optionalField = <T>(schema: Wire<T>): Wire<T | undefined> =>
  z.pipe(z.transform(omitEmpty), z.optional(schema));

/** A value that does not match the documented format of its field. */
export class Unreadable {
  readonly json: string;

  constructor(input: unknown) {
    this.json = `${JSON.stringify(input)}`.slice(0, 200);
  }
}

/** Creates the schema of a field that does not affect delivery, so a malformed value must not invalidate the record. */
export function lenientField<T>(schema: Wire<T>): Wire<T | Unreadable | undefined> {
  const field = optionalField(schema);
  return z.transform((input: unknown) => {
    const result = field.safeParse(input);
    return result.success ? result.data : new Unreadable(input);
  });
}

/** A time in Unix seconds. Zero counts as absent, because no order is from 1970. */
export const wireTime = z.pipe(
  wireSeconds,
  z.transform((seconds) => seconds || undefined),
);

/**
 * The maximum number of entries in a list. No real list from the service is this long. Each malformed entry adds an
 * issue, so without a limit a response could fill the memory with issues.
 */
const MAX_ENTRIES = 10_000;

/** Creates the schema of a list. The service may send an empty list as an empty string. */
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

/** Creates the schema of a list that may also be absent, or sent as a single element outside an array. */
export const listField = <T>(schema: Wire<T>): Wire<T[]> =>
  z.pipe(
    z.transform((input: unknown): unknown => {
      const value = omitEmpty(input);
      return value === undefined ? [] : Array.isArray(value) ? value : [value];
    }),
    wireList(schema),
  );
