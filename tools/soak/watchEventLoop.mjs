import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The pause between a call and the next measurement, which leaves out the forced garbage collection. */
const PAUSE_MS = 1000;

/** Creates a function that returns the longest block of the event loop since its last call, in milliseconds. */
export function watchEventLoop() {
  const histogram = monitorEventLoopDelay({ resolution: 10 });
  histogram.enable();
  return () => {
    const delayMs = Math.round(histogram.max / 1e6);
    setTimeout(() => histogram.reset(), PAUSE_MS).unref();
    return delayMs;
  };
}
