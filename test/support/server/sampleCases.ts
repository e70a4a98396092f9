/** Whether slow tests run all their cases (`CASES=all`). `npm test` runs only a sample of them. */
export const runsAllCases = process.env.CASES === 'all';

/**
 * Returns the distance between the cases that are run: `sampled`, or 1 with `CASES=all`, so every case.
 */
export const caseStep = (sampled: number) => (runsAllCases ? 1 : sampled);
