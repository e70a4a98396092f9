/** Returns the path of a payment option's icon. */
export const getPaymentIconPath = (name: string): string => `/icons/${name}.svg`;

/** Returns the path of a coin's icon, which is the same on every network. */
export const getCryptoIconPath = (symbol: string): string => `/icons/crypto/${symbol}.svg`;
