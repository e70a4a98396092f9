// Preloaded into the shop with --expose-gc: replies to the parent process with the heap after a forced
// collection, and how long its event loop was blocked. The example itself has no such route.
import { serveParent } from './messages.mjs';
import { watchEventLoop } from './watchEventLoop.mjs';

const longestDelay = watchEventLoop();
serveParent({
  heap() {
    const delayMs = longestDelay();
    // The second collection frees what the finalizers of the first one released.
    globalThis.gc();
    globalThis.gc();
    const { heapUsed, rss } = process.memoryUsage();
    return { heapUsed, rss, delayMs };
  },
});
