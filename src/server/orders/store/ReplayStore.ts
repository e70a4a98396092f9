/** The part of an {@link OrderStore} that keeps which webhooks were verified. */
export interface ReplayStore {
  /**
   * Stores the hash of a webhook until `keepUntil`. Resolves with whether it is new: of several concurrent
   * calls with one hash, exactly one resolves with true. Times are Unix seconds.
   */
  claimReplay(hash: string, keepUntil: number, now: number): Promise<boolean>;
}
