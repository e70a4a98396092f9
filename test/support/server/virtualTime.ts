import {
  createRuntime,
  processRuntime,
  type Runtime,
} from '../../../src/server/internal/runtime.js';
import { baseTime } from './orderFixtures.js';

interface VirtualTimer {
  dueMs: number;
  readonly everyMs?: number;
  readonly work: () => void;
  unref(): void;
}

/** A runtime with virtual clocks and timers. Time passes only when a test calls `pass`. */
export interface VirtualTime {
  readonly runtime: Runtime;
  readonly elapsedMs: number;
  /** Lets time pass, and runs each timer at the time at which it is due. */
  pass(seconds: number): Promise<void>;
}

/** Waits until every promise that depends neither on a timer nor on I/O has settled. */
const settle = () => new Promise<void>((done) => setImmediate(done));

export function createVirtualTime(startSeconds = baseTime): VirtualTime {
  let elapsedMs = 0;
  const timers = new Set<VirtualTimer>();
  const add = (work: () => void, ms: number, everyMs?: number) => {
    const timer = { dueMs: elapsedMs + ms, everyMs, work, unref() {} } as VirtualTimer;
    timers.add(timer);
    return timer;
  };
  const clear = (timer: unknown) => void timers.delete(timer as VirtualTimer);
  const findNext = (untilMs: number) =>
    [...timers].filter(({ dueMs }) => dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)[0];
  return {
    runtime: createRuntime({
      ...processRuntime,
      now: () => startSeconds * 1000 + elapsedMs,
      monotonic: () => elapsedMs,
      setTimeout: add,
      clearTimeout: clear,
      setInterval: (work, ms) => add(work, ms, ms),
      clearInterval: clear,
    }),
    get elapsedMs() {
      return elapsedMs;
    },
    async pass(seconds) {
      const untilMs = elapsedMs + seconds * 1000;
      await settle();
      for (let timer = findNext(untilMs); timer; timer = findNext(untilMs)) {
        elapsedMs = Math.max(elapsedMs, timer.dueMs);
        if (timer.everyMs === undefined) timers.delete(timer);
        else timer.dueMs += timer.everyMs;
        timer.work();
        await settle();
      }
      elapsedMs = untilMs;
      await settle();
    },
  };
}
