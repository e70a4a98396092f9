/** Shortens a long address or hash to its two ends. */
export const shortenMiddle = (text: string): string =>
  text.length > 14 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text;
