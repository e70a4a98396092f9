import { HEARTBEAT_MS } from '../../../protocol/handler/CheckoutResponse.js';

/** How long a new stream may take to deliver its first event. */
export const FIRST_EVENT_MS = 5000;
/** The interval of polls while no trusted stream is live. */
export const POLL_MS = 5000;
/** A stream from which no byte arrives for this long counts as lost. */
export const SILENCE_MS = 2 * HEARTBEAT_MS;
/** The longest pause before a lost stream is opened again, a failed poll is repeated, or a closed widget is polled. */
export const MAX_PAUSE_MS = 30_000;
/**
 * The longest pause after a silent stream. A proxy probably buffers that stream, and may keep each new stream open at
 * the server. Polls work meanwhile, so streams are tried rarely.
 */
export const MAX_SILENT_PAUSE_MS = 300_000;
/** The pause after a refused stream. A backend that had too many open streams may have room later. */
const REFUSED_MS = 60_000;
/**
 * The pause before the stream of a backend without streams (404), or of a checkout whose widget is closed: longer than
 * most pages are open.
 */
const WITHOUT_STREAMS_MS = 86_400_000;

/** Decides when to open an event stream, when to close it, and when to poll. */
export interface WatchPlan {
  /** Returns the step that is due, or the milliseconds until the next one. */
  next(): 'open' | 'close' | 'poll' | number;
  open(): void;
  /**
   * Records that bytes of a stream have arrived.
   *
   * @param hasState - True if the page now has the newest state.
   */
  receive(hasState: boolean): void;
  /** Records that a state of the checkout has arrived, from an event or a poll. */
  update(): void;
  /** Records that the page closes a stream, because the stream has been silent for too long. */
  timeOut(): void;
  /** Records that the server or a proxy ended the stream. */
  end(): void;
  /**
   * Records that the backend does not stream; it may still respond to a poll.
   *
   * @param isMissing - Whether it has no route for streams at all.
   */
  refuse(isMissing?: boolean): void;
  /** Records that the connection of a stream failed. */
  fail(): void;
  setPolling(isPolling: boolean): void;
  /** @param failures - How many consecutive requests have failed. */
  failPoll(failures: number): void;
  /**
   * Records that the widget of the checkout is closed. Then the shopper probably pays no more, so the plan opens no
   * stream, and polls at growing intervals of up to {@link MAX_PAUSE_MS}.
   */
  closeWidget(): void;
  /** Records that the connection or the page is back: a pending pause ends now. */
  wake(): void;
}

/**
 * Creates the plan for watching one checkout. The plan is a state machine: its caller sets timers and sends requests.
 *
 * Polls run every {@link POLL_MS} unless a trusted stream is live, and less often while they fail. Lost streams are
 * retried with exponential backoff, refused ones after a minute.
 *
 * @param now - Returns the time in milliseconds.
 */
export function createWatchPlan(now: () => number): WatchPlan {
  let stream: 'closed' | 'opening' | 'live' = 'closed';
  let openedAt = 0;
  let lastByteAt = 0;
  // When the next stream and the next poll are due.
  let streamAt = now();
  let pollAt = streamAt + POLL_MS;
  let isPolling = false;
  let isWidgetClosed = false;
  let pollMs = POLL_MS;
  /**
   * Whether a live stream can replace the polls. It becomes false when a live stream falls silent, and true again when
   * a later stream still delivers bytes {@link FIRST_EVENT_MS} after it was opened.
   */
  let isTrusted = true;
  /**
   * True after a stream was refused or silent, until a stream delivers again. While true, wake() polls and opens no
   * stream.
   */
  let prefersPolls = false;
  /** How many streams in a row did not last. */
  let attempts = 0;
  const closeStream = (minAttempts: number, maxPauseMs = MAX_PAUSE_MS) => {
    stream = 'closed';
    attempts = Math.max(attempts, minAttempts);
    streamAt = now() + getBackoff(attempts++, maxPauseMs);
  };

  return {
    next() {
      const isClosed = stream === 'closed';
      const lateAt = stream === 'live' ? lastByteAt + SILENCE_MS : openedAt + FIRST_EVENT_MS;
      const streamDueAt = isClosed ? streamAt : lateAt;
      if (now() >= streamDueAt) return isClosed ? 'open' : 'close';
      const canPoll = !isPolling && (stream !== 'live' || !isTrusted);
      if (canPoll && now() >= pollAt) return 'poll';
      return Math.min(streamDueAt, canPoll ? pollAt : streamDueAt) - now();
    },
    open() {
      stream = 'opening';
      openedAt = lastByteAt = now();
    },
    receive(hasState) {
      lastByteAt = now();
      if (stream === 'opening' && hasState) {
        stream = 'live';
        prefersPolls = false;
      }
      // Trust a stream only if bytes also arrive later, because a proxy may pass the first bytes and buffer the rest.
      if (stream === 'live' && now() - openedAt >= FIRST_EVENT_MS) isTrusted = true;
    },
    update() {
      pollAt = now() + pollMs;
      if (isWidgetClosed) pollMs = Math.min(1.5 * pollMs, MAX_PAUSE_MS);
    },
    timeOut() {
      if (stream === 'live') {
        isTrusted = false;
        pollAt = now();
      }
      prefersPolls = true;
      closeStream(1, MAX_SILENT_PAUSE_MS);
    },
    end() {
      const lasted = stream === 'live' ? now() - openedAt : 0;
      // No event was missed while a trusted stream was live, so no poll is needed yet.
      if (isTrusted && lasted >= POLL_MS) pollAt = now() + POLL_MS;
      if (lasted >= HEARTBEAT_MS) attempts = 0;
      closeStream(0);
    },
    refuse(isMissing = false) {
      prefersPolls = true;
      stream = 'closed';
      pollAt = now();
      streamAt = pollAt + (isMissing ? WITHOUT_STREAMS_MS : REFUSED_MS);
    },
    fail: () => closeStream(1),
    closeWidget() {
      isWidgetClosed = prefersPolls = true;
      pollAt = now();
      streamAt = pollAt + WITHOUT_STREAMS_MS;
    },
    setPolling(value) {
      isPolling = value;
    },
    failPoll(failures) {
      pollAt = now() + getBackoff(failures, MAX_PAUSE_MS, POLL_MS);
    },
    wake() {
      pollMs = POLL_MS;
      if (prefersPolls) pollAt = now();
      else streamAt = Math.min(streamAt, now());
    },
  };
}

const getBackoff = (attempts: number, maxMs: number, minMs = 0): number =>
  Math.min(Math.max(minMs, 1000 * 2 ** attempts), maxMs);
