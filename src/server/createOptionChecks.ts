import { RampError } from '../protocol/ramp-error.js';

/**
 * Creates the option checks of one function. An option that is `undefined` or `null` counts as absent.
 *
 * @param owner - The name of the function, for the messages.
 */
export function createOptionChecks(owner: string) {
  /** @throws RampError `ERR_CONFIG_INVALID` */
  function refuse(message: string): never {
    throw new RampError('ERR_CONFIG_INVALID', `${owner} ${message}`);
  }
  return {
    refuse,

    /** Returns an optional function. @throws RampError `ERR_CONFIG_INVALID` */
    optionalFunction<F>(option: string, value: F | undefined): F | undefined {
      if (value == null || typeof value === 'function') return value ?? undefined;
      return refuse(`expects a function as ${option}.`);
    },

    /** Checks that an object has these methods. @throws RampError `ERR_CONFIG_INVALID` */
    methods(value: unknown, names: readonly string[], message: string): void {
      const object = value as Readonly<Record<string, unknown>> | null | undefined;
      if (!names.every((name) => typeof object?.[name] === 'function')) refuse(message);
    },
  };
}
