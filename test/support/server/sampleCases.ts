/** Whether slow tests run all their cases, as in `npm run test:long`. `npm test` runs only a sample of them. */
export const runsAllCases = process.env.CASES === 'all';

/** Returns n if every nth case is to run: `sampled` in `npm test`, and 1 in `npm run test:long`. */
export const caseStep = (sampled: number) => (runsAllCases ? 1 : sampled);
