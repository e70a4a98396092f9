const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

function nanosecondsEach(run, times) {
  const start = process.hrtime.bigint();
  for (let i = 0; i < times; i++) run();
  return Number(process.hrtime.bigint() - start) / times;
}

/**
 * Measures `ours` and `base`, prints the ratio of their times, and fails the process if the ratio exceeds `limit`. The
 * two functions alternate, so that other load on the machine slows both. The ratio is the median of all rounds after
 * the first five, which warm up.
 */
export function compareTimes(name, { ours, base, baseName, limit, times, rounds = 41 }) {
  const measured = Array.from({ length: rounds }, () => ({
    ours: nanosecondsEach(ours, times),
    base: nanosecondsEach(base, times),
  })).slice(5);
  const ratio = median(measured.map((round) => round.ours / round.base));
  const micros = (side) => (median(measured.map((round) => round[side])) / 1000).toFixed(1);
  console.log(
    `${name}: ${ratio.toFixed(2)} x ${baseName} (${micros('ours')} against ${micros('base')} microseconds), limit ${limit} x`,
  );
  if (ratio > limit) process.exitCode = 1;
}
