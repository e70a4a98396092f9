/** Abbreviations, which are written in upper case. */
const ABBREVIATIONS = /\b(?:ach|sepa|pix|upi|spei|blik|bsc|us|uk|eu)\b/g;
/** Brand names, in which each word has a capital. */
const BRANDS = /\b(?:apple|google|samsung) pay\b/g;

/** Formats `BANK_CARD_TRANSFER` as `Bank card transfer`, and `ACH_TRANSFER` as `ACH transfer`. */
export const formatName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(ABBREVIATIONS, (letters) => letters.toUpperCase())
    .replace(BRANDS, (brand) => brand.replace(/\b./g, (first) => first.toUpperCase()))
    .replace(/^./u, (first) => first.toUpperCase());

/** Formats `ethereum_mainnet` as `Ethereum`. */
export const formatNetwork = (network = ''): string => formatName(network.replace(/_mainnet$/, ''));
