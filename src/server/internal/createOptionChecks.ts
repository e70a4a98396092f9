import { createConfigError } from '../../protocol/errors/RampError.js';
import { findNearestName } from '../../protocol/findNearestName.js';
import { isPromise } from './checkText.js';

/**
 * Creates the option checks of one function. An option that is `undefined` or `null` counts as absent.
 *
 * @param owner - The name of the function, for the messages.
 */
export function createOptionChecks(owner: string) {
  /** Throws with a message that begins with the owner. @throws RampError `ERR_CONFIG_INVALID` */
  function refuse(message: string): never {
    throw createConfigError(owner, message);
  }
  return {
    refuse,

    /**
     * Refuses unknown options, which would be ignored silently.
     *
     * @param known - Every option of the function.
     * @param others - The other names to refuse: `'all'`, or only `'misspelt'` ones if one object may carry
     * the options of several functions.
     * @throws RampError `ERR_CONFIG_INVALID`
     */
    checkNames(
      options: object,
      known: Readonly<Record<string, true>>,
      others: 'all' | 'misspelt',
    ): void {
      if (isPromise(options))
        refuse(
          'was called with a Promise. Write await before the function that returns it, such as startSandbox().',
        );
      for (const [name, value] of Object.entries(options)) {
        if (value == null || known[name] === true) continue;
        const names = Object.keys(known);
        const nearest = findNearestName(name, names);
        if (nearest) refuse(`has no option ${name}. Did you mean ${nearest}?`);
        if (others === 'all') refuse(`has no option ${name}. It has ${names.join(', ')}.`);
      }
    },

    /** Returns an option that is a function or absent. @throws RampError `ERR_CONFIG_INVALID` */
    parseFunction<F>(option: string, value: F | undefined): F | undefined {
      if (value == null || typeof value === 'function') return value ?? undefined;
      return refuse(`expects a function as ${option}.`);
    },

    /** Checks that an object has these methods. @throws RampError `ERR_CONFIG_INVALID` */
    checkMethods(value: unknown, names: readonly string[], message: string): void {
      const object = value as Readonly<Record<string, unknown>> | null | undefined;
      if (!names.every((name) => typeof object?.[name] === 'function')) refuse(message);
    },
  };
}
