/**
 * The part of an {@link OrderStore} that keeps what all instances share about syncs: the watermark and the
 * lease.
 */
export interface SyncStateStore {
  /** Returns until when all orders are recorded, Unix seconds; undefined before the first sync. */
  readWatermark(): Promise<number | undefined>;
  /** Stores until when all orders are recorded. */
  writeWatermark(to: number): Promise<void>;
  /**
   * Runs a sync unless one is running, on any instance. Resolves with whether it ran. `hasLease` returns
   * false once another instance may have taken over, because this one was frozen or disconnected for long.
   */
  withSyncLease(sync: (hasLease: () => boolean) => Promise<void>): Promise<boolean>;
}
