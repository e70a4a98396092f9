/**
 * The largest size of the code that a component and RampProvider add to the initial load of a page, in bytes after
 * gzip. The limits hold in every bundler. The limits of the buttons include `createHttpSigner`.
 */
export const sizeLimits = {
  OnRampButton: 7700,
  NftCheckout: 7700,
  QuotePreview: 9100,
  CheckoutStatus: 5000,
  'ramp-button': 5700,
} as const;
