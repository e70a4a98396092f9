/** How much room a figure takes: `some` needs a row of its own in a narrow card, `very` in any. */
export const longness = (figure = ''): 'some' | 'very' | undefined =>
  figure.length > 11 ? 'very' : figure.length > 7 ? 'some' : undefined;
