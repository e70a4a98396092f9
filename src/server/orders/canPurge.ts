/** The limits of a purge, Unix seconds: only checkouts that expired before them are deleted. */
export interface PurgeLimits {
  readonly before: number;
  /** The limit of checkouts that were never opened. */
  readonly unopenedBefore: number;
}

/** Returns whether a purge may delete a checkout: it has no order and expired before the limit. */
export const canPurge = (
  checkout: {
    readonly expiresAt: number;
    readonly isOpened: boolean;
    readonly hasOrder: boolean;
  },
  { before, unopenedBefore }: PurgeLimits,
): boolean =>
  !checkout.hasOrder && checkout.expiresAt < (checkout.isOpened ? before : unopenedBefore);
