/** The part of an {@link OrderStore} that stores the hashes of verified webhooks. */
export interface ReplayStore {
  /**
   * Stores the hash of a webhook until `keepUntil`. Resolves with whether the hash is new: of several
   * concurrent calls with one hash, exactly one resolves with true. Times are Unix seconds.
   *
   * @param announced - The reference of the checkout whose order the webhook announces. If the hash is new, the
   * same transaction announces that order, as `announceOrder` does: a webhook that is sent again after a failed
   * write must not count as a replay.
   */
  claimReplay(
    hash: string,
    keepUntil: number,
    now: number,
    announced?: string | undefined,
  ): Promise<boolean>;
}
