/** Whether all cases are tried (`npm run test:long`), or a sample of those that take long (`npm test`). */
export const isWhole = process.env.CASES === 'all';

/** The steps in which a test goes through its cases: 1, but in a sample the given number. */
export const inSteps = (sampled: number) => (isWhole ? 1 : sampled);
