/** Returns the names of the checkouts that streams.bench.mjs changes one at a time: `count`, but at most 500. */
export const singleNames = (count) =>
  Array.from({ length: Math.min(count, 500) }, (_, i) => `single-${i}`);
