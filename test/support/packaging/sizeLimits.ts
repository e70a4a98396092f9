/**
 * The largest size of the code that a component and RampProvider add to the initial load of a page, in bytes after
 * gzip. The limits hold in every bundler. The limits of the buttons include `createHttpSigner`.
 */
export const sizeLimits = {
  OnRampButton: 3000,
  NftCheckout: 3100,
  QuotePreview: 5400,
  CheckoutStatus: 2200,
  'ramp-button': 3200,
} as const;
