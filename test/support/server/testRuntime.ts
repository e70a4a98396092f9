import { processRuntime, type Runtime } from '../../../src/server/internal/runtime.js';

/** Returns the runtime of this process with other clocks, timers or sources of randomness. */
export const testRuntime = (parts: Partial<Runtime> = {}): Runtime => ({
  ...processRuntime,
  ...parts,
});

/** Returns the part of a runtime that gives the next checkouts this reference. */
export const withReference = (reference: string): Partial<Runtime> => ({
  randomBytes: () => Object.assign(Buffer.alloc(16), { toString: () => reference }),
});
