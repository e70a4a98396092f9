const ROUTE = 'GET /api/ramp/checkouts?references=…';
/** The pause after a request that failed. */
const RETRY_MS = 2000;

/**
 * Watches the newest checkout of a visitor, as an open page does: polls its state, and waits `pollAfterSeconds`.
 *
 * @param onState - Called with each state that the page receives.
 */
export function watchPage({ load, visitor, random, onState }) {
  let reference;
  let timer;
  let isOver = false;
  /** Whether the last poll got a response. */
  let isCurrent = false;

  async function poll() {
    const path = `/api/ramp/checkouts?references=${reference}`;
    const found = await load.send(visitor, ROUTE, path, { scheduledAt: Date.now() });
    isCurrent = found !== undefined;
    for (const state of found?.named ?? []) onState(state);
    const pauseMs = found ? found.pollAfterSeconds * 1000 : RETRY_MS;
    if (!isOver) timer = setTimeout(poll, pauseMs * (0.85 + 0.3 * random()));
  }

  return {
    get isCurrent() {
      return isCurrent;
    },
    /** Watches the checkout `next` from now on. */
    show(next) {
      const isFirst = reference === undefined;
      reference = next;
      if (isFirst) void poll();
    },
    close() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
