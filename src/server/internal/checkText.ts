import { createConfigError } from '../../protocol/errors/RampError.js';

/** Completes "the value …" for a text in quotation marks. */
export const QUOTED =
  'has quotation marks around it, which are part of the value: docker --env-file and some other tools keep the quotes of the file. Remove them there.';

/** Returns whether a text begins and ends with the same quotation mark. No valid setting does. */
export function isQuoted(text: string): boolean {
  const inner = text.trim();
  return inner.length > 1 && /["']/.test(inner[0] as string) && inner[0] === inner.at(-1);
}

/** Returns whether a value is a Promise that the caller has not awaited. */
export const isPromise = (value: unknown): boolean =>
  typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function';

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
