/**
 * The largest size of the code that a component and RampProvider add to the initial load of a page, in bytes after
 * gzip. The limits hold in every bundler. The limits of the buttons include `createHttpSigner`.
 */
export const sizeLimits = {
  OnRampButton: 6900,
  NftCheckout: 6900,
  QuotePreview: 9100,
  CheckoutStatus: 4500,
  'ramp-button': 5300,
} as const;
