/** Whether slow tests run all their cases, as in `npm run test:long`. `npm test` runs only a sample of them. */
export const runsAllCases = process.env.CASES === 'all';

/**
 * Returns the distance between the cases that are run: 1 in `npm run test:long`, so every case, and `sampled` in
 * `npm test`.
 */
export const caseStep = (sampled: number) => (runsAllCases ? 1 : sampled);
