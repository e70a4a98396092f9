/** How much room a figure takes: `some` needs a row of its own in a narrow card, `very` in any. */
export const amountSize = (figure = ''): 'long' | 'very-long' | undefined =>
  figure.length > 11 ? 'very-long' : figure.length > 7 ? 'long' : undefined;
