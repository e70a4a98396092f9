import { RampError } from '../../../protocol/errors/RampError.js';
import type { Timer } from '../../internal/runtime.js';
import type { TrackerSettings } from './trackerOptions.js';

/** The number of checks without progress after which a due sync is reported. One check runs every `pollSeconds`. */
const QUIET_POLLS = 10;
/**
 * The shortest time without progress that is reported. If the service does not respond, a sync repeats its request for
 * most of a minute, and then reports the error of the service itself.
 */
const MIN_QUIET_SECONDS = 60;

interface Progress {
  /** The report of the current or last sync. */
  readonly report: object | undefined;
  /** Whether changes are being delivered. */
  readonly isDelivering: boolean;
}

/** A monitor of the syncs of all instances. */
export interface SyncMonitor {
  /** Starts watching, because a sync is due. Does nothing if the monitor is already watching. */
  start(): void;
  /** Stops watching, because the sync has ended or the tracker stops. */
  stop(): void;
}

/**
 * Creates a monitor that calls `onError` when a sync is due but makes no progress. Either the store keeps reporting
 * that another instance has the lease, or a call to the store never returns. The monitor reports this once, and again
 * only after there was progress.
 *
 * Progress is a change of this instance's report, of the store's watermark or of the store's event log. So an instance
 * does not report an error while another instance syncs, or during a long first sync. The monitor counts checks and
 * does not read a clock, so a changed clock or a sleeping machine does not cause a report.
 */
export function createSyncMonitor(
  settings: TrackerSettings,
  getProgress: () => Progress,
): SyncMonitor {
  const { store, pollSeconds, deliverySeconds, onError, runtime } = settings;
  const toPolls = (seconds: number) => Math.max(QUIET_POLLS, Math.ceil(seconds / pollSeconds));
  const quietPolls = toPolls(MIN_QUIET_SECONDS);
  // While changes are delivered, wait longer: one delivery may take `deliverySeconds`, which may be much more than ten
  // short polls.
  const deliveryPolls = toPolls(Math.max(MIN_QUIET_SECONDS, 3 * deliverySeconds));
  let timer: Timer | undefined;
  let quiet = 0;
  let isReported = false;
  let lastReport: unknown;
  let lastState: string | undefined;

  function resetQuiet(): void {
    quiet = 0;
    isReported = false;
  }

  /** Reads the part of the store that a sync of any instance changes, and starts counting anew if it has changed. */
  async function readState(): Promise<void> {
    const state = `${await store.readWatermark()} ${await store.lastEventId()}`;
    if (lastState !== undefined && lastState !== state) resetQuiet();
    lastState = state;
  }

  function check(): void {
    quiet++;
    if (getProgress().report !== lastReport) resetQuiet();
    lastReport = getProgress().report;
    if (!isReported && quiet >= (getProgress().isDelivering ? deliveryPolls : quietPolls)) {
      isReported = true;
      onError(createStallError(quiet * pollSeconds));
    }
    // Do not await the store: one that never responds must not stop the checks.
    readState().catch(() => {});
  }

  return {
    start() {
      if (timer) return;
      lastReport = getProgress().report;
      lastState = undefined;
      timer = runtime.setInterval(check, pollSeconds * 1000);
      timer.unref();
    },
    stop() {
      runtime.clearInterval(timer);
      timer = undefined;
      resetQuiet();
    },
  };
}

const createStallError = (seconds: number) =>
  new RampError(
    'ERR_TIMEOUT',
    `No sync of the order list has made progress for ${seconds} seconds, so new orders are not recorded. Either the store keeps reporting that another instance is syncing, or a call to the store does not return. Check that the database responds and that its clock is right, and restart the instance that syncs.`,
  );
