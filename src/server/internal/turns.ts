import type { Runtime } from './runtime.js';

/** How long the server's work may keep the event loop before other work, such as a health check, runs. */
const MAX_BLOCK_MS = 15;
/** More requests than this at the same time are a herd, such as all pages after a restart. */
const HERD = 100;
/** How long the requests of a herd wait for the last of its connections. */
const MAX_GATHER_MS = 2000;
/** The turns without a new request after which no more connections are expected. */
const CALM_TURNS = 6;

/** Spreads the work of a process over turns of the event loop. */
export interface Turns {
  /**
   * Runs the work of a request: immediately, unless such work has kept the event loop for 15 ms. Then requests
   * begin one after the other in later turns of the loop. Otherwise a thousand requests that arrive together
   * would be handled in one turn, while timers and other connections wait.
   *
   * Node.js accepts one connection in each turn. So while the connections of a herd arrive, turns are as short as
   * possible: a health check that connects after the herd would otherwise wait for a long turn per connection.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when the next turn has time for the caller, in the order of the calls. */
  wait(): Promise<void> | undefined;
  /**
   * Lets other work of the event loop run if work of the server has kept it for too long. Unlike `wait`, it does
   * not wait for the work of others: call it in work that has begun, where a single caller runs at a time.
   */
  letOthersRun(): Promise<void> | undefined;
}

/** Creates the turns of one process. */
export function createTurns({
  monotonic,
  setImmediate,
}: Pick<Runtime, 'monotonic' | 'setImmediate'>): Turns {
  let running = 0;
  let turnsSinceArrival = 0;
  let startedAt = 0;
  let isScheduled = false;
  /** The work that waits, in the order of the calls, and since when there is any. */
  let waiting: (() => void)[] = [];
  let waitingSince = 0;

  const isArriving = () => running > HERD && turnsSinceArrival < CALM_TURNS;

  /** Returns whether this turn has time left. While a herd arrives, each turn does one piece of work. */
  const hasTime = () => monotonic() - startedAt < (isArriving() ? 0 : MAX_BLOCK_MS);

  function beginTurn(): void {
    startedAt = monotonic();
    turnsSinceArrival++;
  }

  function startTurn(): void {
    beginTurn();
    if (waiting.length > HERD && isArriving() && startedAt - waitingSince < MAX_GATHER_MS) {
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
      if (next < queue.length && hasTime()) return step();
      waiting = queue.slice(next);
      isScheduled = waiting.length > 0;
      if (isScheduled) setImmediate(startTurn);
    };
    step();
  }

  function wait(): Promise<void> | undefined {
    if (waiting.length === 0) {
      waitingSince = monotonic();
      if (hasTime()) return undefined;
    }
    return new Promise((resolve) => {
      waiting.push(resolve);
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(startTurn);
    });
  }

  return {
    async run(work) {
      running++;
      turnsSinceArrival = 0;
      try {
        await wait();
        return await work();
      } finally {
        running--;
      }
    },
    wait,
    letOthersRun() {
      if (hasTime()) return undefined;
      return new Promise((resolve) => {
        setImmediate(() => {
          beginTurn();
          resolve();
        });
      });
    },
  };
}
