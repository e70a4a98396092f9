/** Where the icon of a payment option stands, by the option's name. */
export const getPaymentIconPath = (name: string): string => `/icons/${name}.svg`;

/** Where the icon of a coin stands, by its symbol: it is the same on every network. */
export const getCryptoIconPath = (symbol: string): string => `/icons/crypto/${symbol}.svg`;
