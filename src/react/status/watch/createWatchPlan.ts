import { HEARTBEAT_MS } from '../../../protocol/handler/heartbeat.js';

/** How long a new stream may take to deliver its first event. */
export const FIRST_EVENT_MS = 5000;
/** Between two polls while no stream delivers. */
export const POLL_MS = 5000;
/** A stream without a byte for this long is lost. */
export const SILENCE_MS = 2 * HEARTBEAT_MS;
export const MAX_PAUSE_MS = 30_000;
/** Where streams are swallowed polls do as well, and the proxy may keep each stream open at the server. */
export const MAX_SILENT_PAUSE_MS = 300_000;
/** A backend with too many streams open may have room later. */
const REFUSED_MS = 60_000;

/**
 * Creates the plan of watching one checkout: when to open an event stream, when to close it, and when to
 * poll. It is a state machine without timers or requests; every call gets the time in milliseconds.
 *
 * Polls run every {@link POLL_MS} unless a stream delivers. Streams are retried with exponential backoff.
 */
export function createWatchPlan(start: number) {
  let stream: 'closed' | 'opening' | 'live' = 'closed';
  /** When the stream was opened, or became live. */
  let since = start;
  let lastByteAt = start;
  let streamAt = start;
  let pollAt = start + POLL_MS;
  let isPolling = false;
  /** False after a live stream fell silent, until a later stream has delivered a heartbeat. */
  let isTrusted = true;
  /** Polling works better than streams here: a stream was refused or silent. */
  let prefersPolls = false;
  /** Streams in a row that did not last. */
  let attempts = 0;
  /** Requests in a row that did not reach the backend. */
  let failures = 0;

  const backoff = (most = MAX_PAUSE_MS) => Math.min(1000 * 2 ** attempts, most);
  const close = (pauseUntil: number) => {
    stream = 'closed';
    streamAt = pauseUntil;
  };
  const closeFailed = (now: number, most?: number) => {
    attempts = Math.max(attempts, 1);
    close(now + backoff(most));
    attempts++;
  };

  return {
    /** Returns what is due, or for how many milliseconds nothing is. */
    next(now: number): 'open' | 'close' | 'poll' | number {
      const streamDue =
        stream === 'closed'
          ? streamAt
          : stream === 'opening'
            ? since + FIRST_EVENT_MS
            : lastByteAt + SILENCE_MS;
      if (now >= streamDue) return stream === 'closed' ? 'open' : 'close';
      const canPoll = !isPolling && (stream !== 'live' || !isTrusted);
      if (canPoll && now >= pollAt) return 'poll';
      return Math.min(streamDue, canPoll ? pollAt : streamDue) - now;
    },
    streamOpened(now: number): void {
      stream = 'opening';
      since = now;
      lastByteAt = now;
    },
    /**
     * Records bytes of a stream.
     *
     * @param hasState - They are an event, or a stream that resumes has no newer one.
     */
    bytesReceived(now: number, hasState: boolean): void {
      lastByteAt = now;
      if (stream === 'opening' && hasState) {
        stream = 'live';
        prefersPolls = false;
      }
      // The first bytes show little: a proxy may pass them and hold back the rest.
      if (stream === 'live' && now - since >= FIRST_EVENT_MS) isTrusted = true;
    },
    /** Records the state of the checkout, from an event or a poll. */
    stateReceived(now: number): void {
      failures = 0;
      pollAt = now + POLL_MS;
    },
    /** Closes a stream that has been silent for too long. */
    streamTimedOut(now: number): void {
      if (stream === 'live') {
        isTrusted = false;
        pollAt = now;
      }
      prefersPolls = true;
      closeFailed(now, MAX_SILENT_PAUSE_MS);
    },
    /** Records that the server or a proxy ended the stream. */
    streamEnded(now: number): void {
      const lasted = now - since;
      // While a stream was live nothing was missed.
      if (stream === 'live' && isTrusted && lasted >= POLL_MS) pollAt = now + POLL_MS;
      if (stream === 'live' && lasted >= HEARTBEAT_MS) attempts = 0;
      close(now + backoff());
      attempts++;
    },
    /** Records that the backend does not stream; it may still respond to a poll. */
    streamRefused(now: number): void {
      prefersPolls = true;
      pollAt = now;
      close(now + REFUSED_MS);
    },
    /** Records that the connection of a stream failed. Returns how many requests in a row have. */
    streamFailed(now: number): number {
      closeFailed(now);
      return ++failures;
    },
    pollStarted(): void {
      isPolling = true;
    },
    pollEnded(): void {
      isPolling = false;
    },
    /** Records that a poll failed. Returns how many requests in a row have. */
    pollFailed(now: number): number {
      failures++;
      pollAt = now + Math.min(Math.max(POLL_MS, 1000 * 2 ** failures), MAX_PAUSE_MS);
      return failures;
    },
    /** Returns whether failures were counted, and resets the count. */
    resetFailures(): boolean {
      const wasLost = failures > 1;
      failures = 0;
      return wasLost;
    },
    /** The connection or the page is back: what waits for a pause starts now. */
    wake(now: number): void {
      if (prefersPolls) pollAt = now;
      else streamAt = Math.min(streamAt, now);
    },
  };
}
