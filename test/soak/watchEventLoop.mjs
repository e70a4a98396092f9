import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The forced collection after each minute is not counted. */
const PAUSE_MS = 1000;

/** Returns a function that returns the longest delay of the event loop since its last call, milliseconds. */
export function watchEventLoop() {
  const histogram = monitorEventLoopDelay({ resolution: 10 });
  histogram.enable();
  return () => {
    const delayMs = Math.round(histogram.max / 1e6);
    setTimeout(() => histogram.reset(), PAUSE_MS).unref();
    return delayMs;
  };
}
