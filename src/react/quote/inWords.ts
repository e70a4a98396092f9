/** `BANK_CARD_TRANSFER` as `Bank card transfer`. */
export const inWords = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(/^./u, (first) => first.toUpperCase());
