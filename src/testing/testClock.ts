import { performance } from 'node:perf_hooks';
import timers from 'node:timers';
import {
  createRuntime,
  processRuntime,
  type Runtime,
  type Timer,
} from '../server/internal/runtime.js';

// Read the functions now: a test may replace them later with fake timers, which are meant for its page.
const { setTimeout, clearTimeout, setImmediate } = timers;
const readClock = Date.now;
const readMonotonic = performance.now.bind(performance);

/** Work has settled when this many turns of the event loop have passed without new work. */
const QUIET_TURNS = 10;
/** How long `advance` waits for a function of the test, such as `deliver`. */
const MAX_WAIT_MS = 5000;
/** Node.js fires a timer with a longer delay immediately. */
const MAX_DELAY_MS = 2 ** 31 - 1;

interface TestTimer extends Timer {
  dueMs: number;
  readonly everyMs: number | undefined;
  readonly work: () => void;
  handle?: NodeJS.Timeout | undefined;
}

/** A clock that runs like the real one, and that a test can move forward. */
export interface TestClock {
  readonly runtime: Runtime;
  /** Moves the clock forward, and runs each timer at the time at which it is due. */
  advance(seconds: number): Promise<void>;
  /** Waits until all work is done that needs neither a timer nor anything outside the process. */
  settle(): Promise<void>;
  /** Waits for a result, and fires the timers that it needs instead of waiting for the real clock. */
  drive<T>(work: Promise<T>): Promise<T>;
  /** Marks work of the test's own code, during which the clock is not moved. */
  track<T>(work: () => T | Promise<T>): Promise<T>;
  /** Cancels all timers. */
  stop(): void;
}

export function createTestClock(fetch: Runtime['fetch']): TestClock {
  let offsetMs = 0;
  /** Counts what the backend does. As long as the count changes, the backend's work has not settled. */
  let activity = 0;
  const pending = new Set<{ readonly sinceMs: number }>();
  const queue = new Set<TestTimer>();
  const monotonic = () => readMonotonic() + offsetMs;
  // Both clocks must agree to the millisecond, because orders follow one, and timers the other.
  const startMs = readClock() - readMonotonic();

  function arm(timer: TestTimer): void {
    clearTimeout(timer.handle);
    const delayMs = Math.min(Math.max(timer.dueMs - monotonic(), 0), MAX_DELAY_MS);
    timer.handle = setTimeout(() => {
      if (monotonic() < timer.dueMs) arm(timer);
      else fire(timer);
    }, delayMs);
    // A test process must be able to end, even if a tracker would sync again in an hour.
    timer.handle.unref();
  }

  function fire(timer: TestTimer): void {
    activity++;
    clearTimeout(timer.handle);
    if (timer.everyMs === undefined) queue.delete(timer);
    else {
      timer.dueMs += timer.everyMs;
      arm(timer);
    }
    timer.work();
  }

  function addTimer(work: () => void, ms: number, everyMs?: number): TestTimer {
    activity++;
    const timer: TestTimer = { dueMs: monotonic() + ms, everyMs, work, unref: () => timer };
    queue.add(timer);
    arm(timer);
    return timer;
  }

  function clear(timer: Timer | undefined): void {
    clearTimeout((timer as TestTimer | undefined)?.handle);
    queue.delete(timer as TestTimer);
  }

  const findNext = (): TestTimer | undefined => [...queue].sort((a, b) => a.dueMs - b.dueMs)[0];

  function moveTo(ms: number): void {
    offsetMs += Math.max(0, ms - monotonic());
  }

  function fireAt(timer: TestTimer): Promise<void> {
    moveTo(timer.dueMs);
    fire(timer);
    return settle();
  }

  async function settle(): Promise<void> {
    let seen = -1;
    for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
      await new Promise<void>((done) => setImmediate(done));
      const isWorking = [...pending].some(({ sinceMs }) => readMonotonic() - sinceMs < MAX_WAIT_MS);
      if (activity !== seen || isWorking) quiet = 0;
      seen = activity;
    }
  }

  async function track<T>(work: () => T | Promise<T>): Promise<T> {
    const mark = { sinceMs: readMonotonic() };
    activity++;
    pending.add(mark);
    try {
      return await work();
    } finally {
      activity++;
      pending.delete(mark);
    }
  }

  const runtime = createRuntime({
    ...processRuntime,
    now: () => Math.floor(startMs + monotonic()),
    monotonic,
    setTimeout: (work, ms) => addTimer(work, ms),
    clearTimeout: clear,
    setInterval: (work, ms) => addTimer(work, ms, ms),
    clearInterval: clear,
    setImmediate: (work) => {
      activity++;
      setImmediate(work);
    },
    fetch: (...request) => track(() => fetch(...request)),
  });

  return {
    // Hints for a server that keeps running, such as the one to call `ramp.start()`, are of no use in a test.
    runtime: { ...runtime, warnOnce: () => {} },
    settle,
    track,
    async advance(seconds) {
      await settle();
      const endMs = monotonic() + seconds * 1000;
      for (let next = findNext(); next && next.dueMs <= endMs; next = findNext())
        await fireAt(next);
      moveTo(endMs);
      for (const timer of queue) arm(timer);
      await settle();
    },
    async drive(work) {
      let isDone = false;
      const end = () => {
        isDone = true;
      };
      work.then(end, end);
      for (;;) {
        await settle();
        const next = findNext();
        if (isDone || !next) break;
        await fireAt(next);
      }
      for (const timer of queue) arm(timer);
      return work;
    },
    stop() {
      for (const timer of [...queue]) clear(timer);
    },
  };
}
