import { createConfigError } from '../../protocol/errors/RampError.js';
import { findNearestName } from '../../protocol/findNearestName.js';
import { valueFormats } from '../../protocol/widget/valueFormats.js';

/**
 * A function that validates one option. It returns the value, or the default if the option is absent.
 *
 * @throws RampError `ERR_CONFIG_INVALID`
 */
export type OptionReader<T> = (value: unknown, option: OptionName) => T;

interface OptionName {
  /** The name, such as `limits.lockMs`. */
  readonly name: string;
  /** The name of the function that takes the option, such as `sqlOrderStore`. */
  readonly owner: string;
  /** Begins a sentence about the option: `limits.lockMs of sqlOrderStore`. */
  readonly subject: string;
  /** Throws an error that says the function's name and then `message`. */
  readonly refuse: (message: string) => never;
}

type OptionReaders<T> = { readonly [K in keyof T]: OptionReader<T[K]> };

/**
 * Reads the options of a public function, with one reader for each option. An option that is `undefined` or `null`
 * counts as absent. An unknown option is refused, because otherwise it would be ignored silently.
 *
 * @param owner - The function's name, which begins each message.
 * @param refused - Which unknown names are refused: all by default. With `'misspelt'`, a name is refused only if it
 * resembles a known one. Three functions need this: the guides spread the result of `startSandbox()` into the options
 * of `createRamp` and pass it to `createWidgetSigner`, and `postgresPool` passes other names on to `pg`.
 * @throws RampError `ERR_CONFIG_INVALID` for the first invalid option, in the order of the readers.
 * @example
 * readOptions('createWebhookVerifier', options, { toleranceSeconds: seconds(300), signedBody: flag(false) });
 */
export function readOptions<O extends object, T>(
  owner: string,
  options: O | undefined,
  readers: OptionReaders<T> & { readonly [K in keyof Required<O>]: OptionReader<unknown> },
  refused?: 'misspelt',
): T {
  const refuse = (message: string): never => {
    throw createConfigError(owner, message);
  };
  if (isPromise(options))
    refuse(
      'was called with a Promise. Write await before the function that returns it, such as startSandbox().',
    );
  return group<T>(readers, refused)(options, { name: '', owner, subject: owner, refuse });
}

/** Reads an object of options. In messages, each option is prefixed with the object's name, as in `limits.lockMs`. */
export const group =
  <T>(readers: OptionReaders<T>, refused?: 'misspelt'): OptionReader<T> =>
  (value, { name, owner, refuse }) => {
    const known = Object.keys(readers);
    const toName = (key: string) => (name ? `${name}.${key}` : key);
    if (value != null && typeof value !== 'object')
      refuse(`expects { ${known.join(', ')} } as ${name || 'options'}.`);
    const given = (value ?? {}) as Readonly<Record<string, unknown>>;
    for (const [key, option] of Object.entries(given)) {
      if (option == null || known.includes(key)) continue;
      const nearest = findNearestName(key, known);
      if (nearest) refuse(`has no option ${toName(key)}. Did you mean ${toName(nearest)}?`);
      if (refused !== 'misspelt')
        refuse(`has no option ${toName(key)}. It has ${known.map(toName).join(', ')}.`);
    }
    const read = Object.entries<OptionReader<unknown>>(readers).map(([key, readOption]) => {
      const subject = `${toName(key)} of ${owner}`;
      return [key, readOption(given[key], { name: toName(key), owner, subject, refuse })];
    });
    return Object.fromEntries(read) as T;
  };

export function func<F>(byDefault: F): OptionReader<F>;
export function func<F>(): OptionReader<F | undefined>;
export function func<F>(byDefault?: F): OptionReader<F | undefined> {
  return (value, { name, refuse }) => {
    if (value == null) return byDefault;
    return typeof value === 'function' ? (value as F) : refuse(`expects a function as ${name}.`);
  };
}

/** Reads a value that another function checks, or that may be anything. */
export const unchecked =
  <T>(): OptionReader<T | undefined> =>
  (value) =>
    (value ?? undefined) as T | undefined;

/** Reads a required function. `what` tells the developer what the function does. */
export const requiredFunc =
  <F>(what: string): OptionReader<F> =>
  (value, { name, refuse }) =>
    typeof value === 'function' ? (value as F) : refuse(`needs ${name}: ${what}.`);

export const flag =
  (byDefault: boolean): OptionReader<boolean> =>
  (value, { name, refuse }) => {
    if (value == null) return byDefault;
    return typeof value === 'boolean' ? value : refuse(`expects true or false as ${name}.`);
  };

export const optional =
  <T>(read: OptionReader<T>): OptionReader<T | undefined> =>
  (value, option) =>
    value == null ? undefined : read(value, option);

/** Reads an object that has these methods. `message` continues a sentence that begins with the name of the function. */
export const methods =
  <T>(names: readonly (string & keyof T)[], message: string): OptionReader<T> =>
  (value, { refuse }) =>
    hasMethods(value, names) ? (value as T) : refuse(message);

/** Reads text that matches `pattern`. `words` describe the format in the message, after "expects". */
export const matching =
  (pattern: RegExp, words: string, byDefault: string): OptionReader<string> =>
  (value, { refuse }) => {
    if (value == null) return byDefault;
    return typeof value === 'string' && pattern.test(value) ? value : refuse(`expects ${words}.`);
  };

/**
 * Reads a value that usually comes from an environment variable: `checkText` refuses typical mistakes, then `read`
 * checks the format.
 */
export const setting =
  <T>(read: OptionReader<T>): OptionReader<T> =>
  (value, option) => {
    checkText(option.subject, value);
    return read(value, option);
  };

export const partnerId: OptionReader<string> = setting((value, { subject }) => {
  const { pattern, words } = valueFormats.token;
  if (typeof value === 'string' && pattern.test(value)) return value;
  throw createConfigError(
    subject,
    `must be ${words}: the partner ID that was issued at onboarding.`,
  );
});

/** Reads a whole number from `least` (by default 1) to `most`. */
export const count =
  ({ byDefault, least = 1, most, unit = 'a whole number' }: Range): OptionReader<number> =>
  (value, { name, refuse }) => {
    const number = value ?? byDefault;
    if (isWhole(number) && number >= least && number <= (most ?? number)) return number;
    const range = most === undefined ? `from ${least}` : `from ${least} to ${most}`;
    return refuse(`expects ${unit} ${range} as ${name}.${hintAtText(number)}`);
  };

/** Returns a hint for a number that was passed as text, as every value of an environment variable is. */
const hintAtText = (value: unknown): string =>
  typeof value === 'string'
    ? ' It is text, not a number: convert it, for example with Number(process.env.NAME).'
    : '';

/** Reads a share, from 0 to 1. */
export const share =
  (byDefault: number): OptionReader<number> =>
  (value, { name, refuse }) => {
    const number = value ?? byDefault;
    return typeof number === 'number' && number >= 0 && number <= 1
      ? number
      : refuse(`expects a number from 0 to 1 as ${name}.${hintAtText(number)}`);
  };

interface Range {
  readonly byDefault: number;
  readonly least?: number;
  readonly most?: number | undefined;
  /** What the message says after "expects", such as `whole seconds`. */
  readonly unit?: string;
}

/** Reads a time in whole seconds, from 1 to `most`. */
export const seconds = (byDefault: number, most?: number): OptionReader<number> =>
  count({ byDefault, most, unit: 'whole seconds' });

/** Reads a time in whole milliseconds, from `least` (by default 1) to the longest time of a timer. */
export const milliseconds = (byDefault: number, least = 1): OptionReader<number> =>
  count({ byDefault, least, most: TIMER_MS, unit: 'whole milliseconds' });

/** The longest delay of a timer in milliseconds. A timer with a longer delay fires immediately. */
export const TIMER_MS = 2 ** 31 - 1;
export const TIMER_SECONDS = Math.floor(TIMER_MS / 1000);

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

/**
 * Refuses values that result from a typical mistake: an environment variable that is not set or has literal quotes, or
 * a promise that was not awaited. The caller must check the format itself.
 *
 * @throws RampError `ERR_CONFIG_INVALID`
 */
export function checkText(subject: string, value: unknown): void {
  const refuse = (message: string) => {
    throw createConfigError(subject, message);
  };
  if (value == null)
    refuse(
      'is missing. Is its environment variable set? If startSandbox() returns it, write await startSandbox().',
    );
  if (typeof value === 'string' && value.trim() === '')
    refuse('is missing. Is its environment variable set?');
  if (isPromise(value)) refuse('is a Promise. Write await before the function that returns it.');
  if (typeof value === 'string' && isQuoted(value)) refuse(QUOTED);
}

/**
 * The end of the error message for a value with quotation marks around it. This text follows the name of the option, or
 * the word `it`.
 */
export const QUOTED =
  'has quotation marks around it, which are part of the value: docker --env-file and some other tools keep the quotes of the file. Remove them there.';

/** Returns whether a text begins and ends with the same quotation mark. No valid setting does. */
export function isQuoted(text: string): boolean {
  const inner = text.trim();
  return inner.length > 1 && /["']/.test(inner[0] as string) && inner[0] === inner.at(-1);
}

/** Returns whether a value is a promise, including one from another library. */
export const isPromise = (value: unknown): value is Promise<unknown> => hasMethods(value, ['then']);

function hasMethods(value: unknown, names: readonly string[]): boolean {
  const object = value as Readonly<Record<string, unknown>> | null | undefined;
  return names.every((name) => typeof object?.[name] === 'function');
}
