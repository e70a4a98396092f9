/** Removes trailing zeros of the fraction, so that equal amounts have equal texts: `'100'` for `'100.00'`. */
export const normalizeDecimal = (amount: string): string =>
  amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
