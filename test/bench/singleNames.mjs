/** Returns the names of the checkouts that change one at a time. */
export const singleNames = (count) =>
  Array.from({ length: Math.min(count, 500) }, (_, i) => `single-${i}`);
