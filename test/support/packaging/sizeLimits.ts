/**
 * What a component and its provider may add to the code that a page loads at once, in bytes after
 * gzip, in every bundler. Both buttons come with `createHttpSigner`.
 */
export const sizeLimits = {
  OnRampButton: 2500,
  NftCheckout: 2560,
  QuotePreview: 5000,
  CheckoutStatus: 2100,
} as const;
