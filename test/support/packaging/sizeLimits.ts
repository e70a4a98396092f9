/**
 * The largest size of the code that a component and RampProvider add to the initial load of a page, in bytes after
 * gzip. The limits hold in every bundler. The limits of the buttons include `createHttpSigner`.
 */
export const sizeLimits = {
  OnRampButton: 4300,
  NftCheckout: 4400,
  QuotePreview: 7000,
  CheckoutStatus: 3700,
  'ramp-button': 3300,
} as const;
