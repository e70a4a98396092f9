/**
 * The limits for the code that a component and its provider add to the initial load of a page, in bytes after
 * gzip, in every bundler. The limits of both buttons include `createHttpSigner`.
 */
export const sizeLimits = {
  OnRampButton: 2500,
  NftCheckout: 2560,
  QuotePreview: 5050,
  CheckoutStatus: 2100,
} as const;
