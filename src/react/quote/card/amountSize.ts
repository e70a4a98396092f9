/** Classifies the width of an amount: `long` needs a separate row in a narrow card, `very-long` in any card. */
export const amountSize = (figure = ''): 'long' | 'very-long' | undefined =>
  figure.length > 11 ? 'very-long' : figure.length > 7 ? 'long' : undefined;
