/**
 * The largest size of the code that a component and RampProvider add to the initial load of a page, in bytes after
 * gzip. The limits hold in every bundler. The limits of the buttons include `createHttpSigner`.
 */
export const sizeLimits = {
  OnRampButton: 2300,
  NftCheckout: 2360,
  QuotePreview: 4900,
  CheckoutStatus: 1930,
  'ramp-button': 2600,
} as const;
