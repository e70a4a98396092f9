import { type Runtime, sleep } from '../../internal/runtime.js';
import { BUSY_SECONDS } from './nextDelay.js';

/** The number of attempts while another instance syncs, whose lease lasts for 9 seconds. */
const MAX_TRIES = 6;

/**
 * Creates the `requestSync` of a tracker that was never started, so it has no timer. Requests wait for a
 * running sync, which may already have read past the order, and share the next one. It never rejects.
 *
 * @param getRunning - Returns the running sync.
 */
export function createUnstartedSync(
  runtime: Runtime,
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
        await sleep(runtime, BUSY_SECONDS * 1000);
    } catch (error) {
      onError(error);
    }
  }
  return () => {
    requested ??= syncAfterRunning();
    return requested;
  };
}
