/** Whether slow tests run all their cases, as in `npm run test:long`. `npm test` runs only a sample of them. */
export const runsAllCases = process.env.CASES === 'all';

/** Returns `sampled` if every nth case is enough (`npm test`), and 1 if all cases must run. */
export const caseStep = (sampled: number) => (runsAllCases ? 1 : sampled);
