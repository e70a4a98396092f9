/**
 * The largest size of the code that a component and RampProvider add to the initial load of a page, in bytes after
 * gzip: what plain code needed on 2026-11-30 in the bundler that needs most, and 15 %. Those of the buttons include
 * `createHttpSigner`.
 */
export const sizeLimits = {
  OnRampButton: 8200,
  NftCheckout: 8200,
  QuotePreview: 4150,
  CheckoutStatus: 5650,
  'ramp-button': 5900,
} as const;

/**
 * The same with esbuild. It writes each module that a page shares with a lazy part into a file of its own, which is part
 * of the initial load, and merges none of them.
 */
export const esbuildLimits = {
  OnRampButton: 10_600,
  NftCheckout: 10_600,
  QuotePreview: 6950,
  CheckoutStatus: 8200,
  'ramp-button': 6550,
} as const;
