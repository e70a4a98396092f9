/** How long the server's work may keep the event loop before other work, such as a health check, runs. */
const MAX_BLOCK_MS = 15;

let startedAt = 0;
/** The work that waits, in the order of the calls. */
let waiting: (() => void)[] = [];
let isScheduled = false;

/**
 * Resolves when the caller may go on: immediately, unless work of the server has kept the event loop for 15 ms.
 * Then callers continue one after the other in later turns of the loop. Without it, a thousand requests that
 * arrive together would be handled in one turn, and nothing else meanwhile.
 */
export function takeTurn(): Promise<void> | undefined {
  if (waiting.length === 0 && performance.now() - startedAt < MAX_BLOCK_MS) return undefined;
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(startTurn);
  });
}

function startTurn(): void {
  startedAt = performance.now();
  const queue = waiting;
  let next = 0;
  const step = () => {
    queue[next++]?.();
    // After all promises that this work settles, because their handlers run in this turn too.
    queueMicrotask(() => process.nextTick(afterWork));
  };
  const afterWork = () => {
    if (next < queue.length && performance.now() - startedAt < MAX_BLOCK_MS) return step();
    waiting = queue.slice(next);
    isScheduled = waiting.length > 0;
    if (isScheduled) setImmediate(startTurn);
  };
  step();
}

/**
 * Lets other work of the event loop run if work of the server has kept it for 15 ms. Unlike `takeTurn`, it does
 * not wait for the work of others: call it in work that has begun, where a single caller runs at a time.
 */
export function letOthersRun(): Promise<void> | undefined {
  if (performance.now() - startedAt < MAX_BLOCK_MS) return undefined;
  return new Promise((resolve) => {
    setImmediate(() => {
      startedAt = performance.now();
      resolve();
    });
  });
}
