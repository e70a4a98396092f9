/** Whether to run all cases (`npm run test:long`) or only a sample of slow tests (`npm test`). */
export const runsAllCases = process.env.CASES === 'all';

/** Returns the step between the cases to run: 1 for all cases, the given number for a sample. */
export const caseStep = (sampled: number) => (runsAllCases ? 1 : sampled);
