// Preloaded into the process of the shop, because the shop itself does not report its memory. On request it sends the
// parent process the heap after a forced garbage collection (--expose-gc) and the longest block of the event loop.
import { serveParent } from './messages.mjs';
import { watchEventLoop } from './watchEventLoop.mjs';

const longestDelay = watchEventLoop();
serveParent({
  heap() {
    const delayMs = longestDelay();
    // Collect twice: finalizers of the first collection release memory that only the second one frees.
    globalThis.gc();
    globalThis.gc();
    const { heapUsed, rss } = process.memoryUsage();
    return { heapUsed, rss, delayMs };
  },
});
