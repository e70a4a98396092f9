/** Until when checkouts must have expired to be deleted, Unix seconds. */
export interface PurgeLimits {
  readonly before: number;
  /** The same for checkouts that were never opened. */
  readonly unopenedBefore: number;
}

/** Returns whether a purge may delete a checkout: it has no order, and expired long enough ago. */
export const canPurge = (
  checkout: {
    readonly expiresAt: number;
    readonly isOpened: boolean;
    readonly hasOrder: boolean;
  },
  { before, unopenedBefore }: PurgeLimits,
): boolean =>
  !checkout.hasOrder && checkout.expiresAt < (checkout.isOpened ? before : unopenedBefore);
