/**
 * The limits for the code that a component and its provider add to the initial load of a page, in bytes after
 * gzip, in every bundler. The limits of both buttons include `createHttpSigner`.
 */
export const sizeLimits = {
  OnRampButton: 2300,
  NftCheckout: 2360,
  QuotePreview: 4850,
  CheckoutStatus: 1930,
} as const;
