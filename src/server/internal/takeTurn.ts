/** How long the server's work may keep the event loop before other work, such as a health check, runs. */
const MAX_BLOCK_MS = 15;
/** More requests than this that wait at the same time are a herd, such as all pages after a restart. */
const HERD = 100;
/** How long the requests of a herd wait for the last of its connections. */
const MAX_GATHER_MS = 2000;
/** The turns without a new request after which no more connections are expected. */
const CALM_TURNS = 3;

let startedAt = 0;
let budgetMs = MAX_BLOCK_MS;
let turnsSinceArrival = 0;
let isScheduled = false;
/** The work that waits, in the order of the calls, and since when there is any. */
let waiting: (() => void)[] = [];
let waitingSince = 0;

/**
 * Resolves when the caller may go on: immediately, unless work of the server has kept the event loop for 15 ms.
 * Then callers continue one after the other in later turns of the loop. Without it, a thousand requests that
 * arrive together would be handled in one turn, and nothing else meanwhile.
 *
 * Node.js accepts one connection in each turn. So while the connections of a herd arrive, turns are as short as
 * possible: a health check that connects after the herd would otherwise wait for a long turn per connection.
 */
export function takeTurn(): Promise<void> | undefined {
  turnsSinceArrival = 0;
  if (waiting.length === 0) {
    waitingSince = performance.now();
    if (waitingSince - startedAt < budgetMs) return undefined;
  }
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(startTurn);
  });
}

/**
 * Lets other work of the event loop run if work of the server has kept it for too long. Unlike `takeTurn`, it
 * does not wait for the work of others: call it in work that has begun, where a single caller runs at a time.
 */
export function letOthersRun(): Promise<void> | undefined {
  if (performance.now() - startedAt < budgetMs) return undefined;
  return new Promise((resolve) => {
    setImmediate(() => {
      startedAt = performance.now();
      resolve();
    });
  });
}

function startTurn(): void {
  startedAt = performance.now();
  const isArriving = waiting.length > HERD && turnsSinceArrival++ < CALM_TURNS;
  budgetMs = isArriving ? 0 : MAX_BLOCK_MS;
  if (isArriving && startedAt - waitingSince < MAX_GATHER_MS) {
    setImmediate(startTurn);
    return;
  }
  const queue = waiting;
  let next = 0;
  const step = () => {
    queue[next++]?.();
    // After all promises that this work settles, because their handlers run in this turn too.
    queueMicrotask(() => process.nextTick(afterWork));
  };
  const afterWork = () => {
    if (next < queue.length && performance.now() - startedAt < budgetMs) return step();
    waiting = queue.slice(next);
    isScheduled = waiting.length > 0;
    if (isScheduled) setImmediate(startTurn);
    else budgetMs = MAX_BLOCK_MS;
  };
  step();
}
