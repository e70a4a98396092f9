import { BUSY_SECONDS } from './nextDelay.js';

/** How often a sync is tried while another instance syncs. Its lease lasts for 9 seconds. */
const MAX_TRIES = 6;

/**
 * Creates the `requestSync` of a tracker that was never started, so that no timer will sync. Requests share
 * the next sync; a running one may have read past the order already. It never rejects.
 *
 * @param getRunning - Returns the sync that is running.
 */
export function createUnstartedSync(
  sync: () => Promise<boolean>,
  getRunning: () => Promise<unknown> | undefined,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let requested: Promise<void> | undefined;
  async function syncAfterRunning(): Promise<void> {
    await getRunning()?.catch(() => {});
    requested = undefined;
    try {
      for (let tries = 1; !(await sync()) && tries < MAX_TRIES; tries++)
        await new Promise((done) => setTimeout(done, BUSY_SECONDS * 1000));
    } catch (error) {
      onError(error);
    }
  }
  return () => {
    requested ??= syncAfterRunning();
    return requested;
  };
}
