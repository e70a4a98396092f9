import { processRuntime, type Runtime } from '../../../src/server/internal/runtime.js';

/** Returns the runtime of this process, in which `parts` replace clocks, timers or sources of randomness. */
export const testRuntime = (parts: Partial<Runtime> = {}): Runtime => ({
  ...processRuntime,
  ...parts,
});

/** Returns a part for {@link testRuntime} that gives every new checkout this reference. */
export const withReference = (reference: string): Partial<Runtime> => ({
  randomBytes: () => Object.assign(Buffer.alloc(16), { toString: () => reference }),
});
