/** The part of an {@link OrderStore} that stores the hashes of verified webhooks. */
export interface ReplayStore {
  /**
   * Stores the hash of a webhook until `keepUntil`. Resolves with whether the hash is new: of several
   * concurrent calls with one hash, exactly one resolves with true. Times are Unix seconds.
   */
  claimReplay(hash: string, keepUntil: number, now: number): Promise<boolean>;
}
