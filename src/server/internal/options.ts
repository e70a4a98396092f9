import { createConfigError } from '../../protocol/errors/RampError.js';
import { findNearestName } from '../../protocol/findNearestName.js';
import { valueFormats } from '../../protocol/widget/valueFormats.js';

/** Reads one option: returns its value, or its default if it is absent. @throws RampError `ERR_CONFIG_INVALID` */
export type OptionReader<T> = (value: unknown, option: OptionName) => T;

/** Where an option is, for messages. */
interface OptionName {
  readonly name: string;
  /** Throws with a message that begins with the function. */
  readonly refuse: (message: string) => never;
}

type OptionReaders<T> = { readonly [K in keyof T]: OptionReader<T[K]> };

/**
 * Reads the options of a public function: every option has a reader. An option that is `undefined` or `null` counts
 * as absent. An unknown option is refused, because it would be ignored silently.
 *
 * @param owner - The name of the function, for messages.
 * @param refused - The unknown names to refuse: only `'misspelt'` ones if one object may carry the options of several
 * functions.
 * @throws RampError `ERR_CONFIG_INVALID` for the first invalid option, in the order of the readers.
 * @example
 * readOptions('createWebhookVerifier', options, { signedBody: flag(false), now: func() });
 */
export function readOptions<O extends object, T>(
  owner: string,
  options: O | undefined,
  readers: OptionReaders<T> & { readonly [K in keyof Required<O>]: OptionReader<unknown> },
  refused?: 'misspelt',
): T {
  const { refuse, checkNames } = createOptionChecks(owner);
  const given = (options ?? {}) as Readonly<Record<string, unknown>>;
  checkNames(given, readers, refused);
  const read = Object.entries<OptionReader<unknown>>(readers).map(([name, readOption]) => [
    name,
    readOption(given[name], { name, refuse }),
  ]);
  return Object.fromEntries(read) as T;
}

/** Reads a function. Absent, it is `byDefault`. */
export function func<F>(byDefault: F): OptionReader<F>;
export function func<F>(): OptionReader<F | undefined>;
export function func<F>(byDefault?: F): OptionReader<F | undefined> {
  return (value, { name, refuse }) => {
    if (value == null) return byDefault;
    return typeof value === 'function' ? (value as F) : refuse(`expects a function as ${name}.`);
  };
}

/** Reads `true` or `false`. */
export const flag =
  (byDefault: boolean): OptionReader<boolean> =>
  (value, { name, refuse }) => {
    if (value == null) return byDefault;
    return typeof value === 'boolean' ? value : refuse(`expects true or false as ${name}.`);
  };

/** Reads an option that may be absent. */
export const optional =
  <T>(read: OptionReader<T>): OptionReader<T | undefined> =>
  (value, option) =>
    value == null ? undefined : read(value, option);

/** Reads an object that has these methods. The message completes a sentence that begins with the function. */
export const methods =
  <T>(names: readonly (string & keyof T)[], message: string): OptionReader<T> =>
  (value, { refuse }) =>
    hasMethods(value, names) ? (value as T) : refuse(message);

/** Reads a text of a format. `words` complete "expects". */
export const matching =
  (pattern: RegExp, words: string, byDefault: string): OptionReader<string> =>
  (value, { refuse }) => {
    if (value == null) return byDefault;
    return typeof value === 'string' && pattern.test(value) ? value : refuse(`expects ${words}.`);
  };

/** Reads a setting that comes from the environment. `read` checks its format. */
export const setting =
  <T>(read: OptionReader<T>): OptionReader<T> =>
  (value, option) => {
    checkText(option.name, value);
    return read(value, option);
  };

/** Reads the partner ID. */
export const partnerId: OptionReader<string> = setting((value, { name }) => {
  const { pattern, words } = valueFormats.token;
  if (typeof value === 'string' && pattern.test(value)) return value;
  throw createConfigError(name, `must be ${words}: the partner ID that was issued at onboarding.`);
});

/** Reads a whole number. */
export const count =
  ({ byDefault, least = 1, most }: Range): OptionReader<number> =>
  (value, { name, refuse }) => {
    const number = value ?? byDefault;
    if (isWhole(number) && number >= least && number <= most) return number;
    return refuse(
      `expects a whole number from ${least} to ${most} as ${name}.${describeText(number)}`,
    );
  };

interface Range {
  readonly byDefault: number;
  readonly least?: number;
  readonly most: number;
}

/** Reads a time in whole seconds. */
export const seconds =
  (byDefault: number, most?: number): OptionReader<number> =>
  (value, { name }) => {
    const number = value ?? byDefault;
    if (isWhole(number) && number > 0 && number <= (most ?? Number.MAX_SAFE_INTEGER)) return number;
    const range = `from 1${most === undefined ? '' : ` to ${most}`}`;
    throw createConfigError(name, `must be whole seconds ${range}.${describeText(number)}`);
  };

/** The longest time of a timer in milliseconds. A longer one would fire immediately. */
export const TIMER_MS = 2 ** 31 - 1;
export const TIMER_SECONDS = Math.floor(TIMER_MS / 1000);

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

/** Returns the sentence that explains a number in the form of text, which every environment variable has. */
export const describeText = (value: unknown): string =>
  typeof value === 'string'
    ? ' It is text, not a number: convert it, for example with Number(process.env.NAME).'
    : '';

/**
 * Refuses the values that a setting has when its source is wrong: an environment variable that is not set or
 * has literal quotes, or a function that was not awaited. The caller checks the format.
 *
 * @throws RampError `ERR_CONFIG_INVALID`
 */
export function checkText(option: string, value: unknown): void {
  const refuse = (message: string) => {
    throw createConfigError(option, message);
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

/** Completes "the value …" for a text in quotation marks. */
export const QUOTED =
  'has quotation marks around it, which are part of the value: docker --env-file and some other tools keep the quotes of the file. Remove them there.';

/** Returns whether a text begins and ends with the same quotation mark. No valid setting does. */
export function isQuoted(text: string): boolean {
  const inner = text.trim();
  return inner.length > 1 && /["']/.test(inner[0] as string) && inner[0] === inner.at(-1);
}

/** Returns whether a value is a Promise that the caller has not awaited. */
const isPromise = (value: unknown): boolean => hasMethods(value, ['then']);

function hasMethods(value: unknown, names: readonly string[]): boolean {
  const object = value as Readonly<Record<string, unknown>> | null | undefined;
  return names.every((name) => typeof object?.[name] === 'function');
}

/** Creates the option checks of one function whose options depend on each other. */
export function createOptionChecks(owner: string) {
  /** Throws with a message that begins with the owner. @throws RampError `ERR_CONFIG_INVALID` */
  function refuse(message: string): never {
    throw createConfigError(owner, message);
  }
  return {
    refuse,

    /** Refuses unknown options, as {@link readOptions} does. @throws RampError `ERR_CONFIG_INVALID` */
    checkNames(
      options: object,
      known: Readonly<Record<string, unknown>>,
      refused?: 'misspelt',
    ): void {
      if (isPromise(options))
        refuse(
          'was called with a Promise. Write await before the function that returns it, such as startSandbox().',
        );
      const names = Object.keys(known);
      for (const [name, value] of Object.entries(options)) {
        if (value == null || names.includes(name)) continue;
        const nearest = findNearestName(name, names);
        if (nearest) refuse(`has no option ${name}. Did you mean ${nearest}?`);
        if (refused !== 'misspelt') refuse(`has no option ${name}. It has ${names.join(', ')}.`);
      }
    },

    /** Returns an option that is a function or absent. @throws RampError `ERR_CONFIG_INVALID` */
    parseFunction<F>(option: string, value: F | undefined): F | undefined {
      return func<F>()(value, { name: option, refuse });
    },
  };
}
