// Preloaded into the shop with --expose-gc: sends the parent process the heap after a forced collection and the
// longest block of the event loop. The example itself does not have such a route.
import { serveParent } from './messages.mjs';
import { watchEventLoop } from './watchEventLoop.mjs';

const longestDelay = watchEventLoop();
serveParent({
  heap() {
    const delayMs = longestDelay();
    // The second collection frees memory that the finalizers of the first one released.
    globalThis.gc();
    globalThis.gc();
    const { heapUsed, rss } = process.memoryUsage();
    return { heapUsed, rss, delayMs };
  },
});
