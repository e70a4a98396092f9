/** Whether to run all cases (`npm run test:long`) or, of slow tests, a sample (`npm test`). */
export const runsAllCases = process.env.CASES === 'all';

/** Returns the step between the cases to run: 1, or the given number in a sample. */
export const caseStep = (sampled: number) => (runsAllCases ? 1 : sampled);
