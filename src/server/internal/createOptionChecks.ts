import { createConfigError } from '../../protocol/errors/createConfigError.js';
import { findNearestName } from '../../protocol/findNearestName.js';

/**
 * Creates the option checks of one function. An option that is `undefined` or `null` counts as absent.
 *
 * @param owner - The name of the function, for the messages.
 */
export function createOptionChecks(owner: string) {
  /** @throws RampError `ERR_CONFIG_INVALID` */
  function refuse(message: string): never {
    throw createConfigError(owner, message);
  }
  return {
    refuse,

    /**
     * Checks that there is no unknown option, which would be ignored without a word.
     *
     * @param known - Every option of the function.
     * @param others - Which other names are refused: `'all'`, or `'misspelt'` where an object that is meant
     * for several functions may be passed.
     * @throws RampError `ERR_CONFIG_INVALID`
     */
    checkNames(
      options: object,
      known: Readonly<Record<string, true>>,
      others: 'all' | 'misspelt',
    ): void {
      for (const [name, value] of Object.entries(options)) {
        if (value == null || known[name] === true) continue;
        const names = Object.keys(known);
        const nearest = findNearestName(name, names);
        if (nearest) refuse(`has no option ${name}. Did you mean ${nearest}?`);
        if (others === 'all') refuse(`has no option ${name}. It has ${names.join(', ')}.`);
      }
    },

    /** Returns an optional function. @throws RampError `ERR_CONFIG_INVALID` */
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
