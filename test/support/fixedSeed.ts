import fc from 'fast-check';
import { createRandom } from '../simulation/random.js';

/**
 * The seed of all random cases. It is fixed, so that a failure belongs to the change that it is reported for. Set
 * TEST_SEED to try other cases.
 */
const seed = Number(process.env.TEST_SEED ?? 1);

fc.configureGlobal({ seed });

/** Returns random numbers for a test file that does not use fast-check. They are the same in each run. */
export const seededRandom = (testName: string) => createRandom(`${seed}`, testName);
