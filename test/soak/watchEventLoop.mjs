import { monitorEventLoopDelay } from 'node:perf_hooks';

/** A pause in the measurement, for the forced collection after each minute. */
const PAUSE_MS = 1000;

/** Returns a function that returns the longest block of the event loop since its last call, in milliseconds. */
export function watchEventLoop() {
  const histogram = monitorEventLoopDelay({ resolution: 10 });
  histogram.enable();
  return () => {
    const delayMs = Math.round(histogram.max / 1e6);
    setTimeout(() => histogram.reset(), PAUSE_MS).unref();
    return delayMs;
  };
}
