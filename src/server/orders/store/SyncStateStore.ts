/**
 * The part of an {@link OrderStore} that stores the state of syncs for all instances: the watermark and the
 * lease.
 */
export interface SyncStateStore {
  /**
   * Returns the watermark: the start of the last complete sync, up to which all orders are recorded. Unix
   * seconds, undefined before the first sync.
   */
  readWatermark(): Promise<number | undefined>;
  /** Stores the watermark, Unix seconds. */
  writeWatermark(to: number): Promise<void>;
  /**
   * Runs a sync unless one is running on any instance. Resolves with whether it ran. `hasLease` returns false
   * once another instance may have the lease, because this one was frozen or disconnected for too long.
   */
  withSyncLease(sync: (hasLease: () => boolean) => Promise<void>): Promise<boolean>;
}
