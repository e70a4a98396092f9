/** Whether slow tests run all their cases, as in `npm run test:long`. `npm test` runs only a sample of them. */
export const runsAllCases = process.env.CASES === 'all';

/** Returns the step from one case that runs to the next: 1 in `npm run test:long`, and `sampled` in `npm test`. */
export const caseStep = (sampled: number) => (runsAllCases ? 1 : sampled);
