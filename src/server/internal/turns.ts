import type { Runtime } from './runtime.js';

/** How long the server's work may block the event loop before other work, such as a health check, runs. */
const MAX_BLOCK_MS = 15;
/** More concurrent requests than this are a herd, for example when all pages reconnect after a restart. */
const HERD = 100;
/** The longest time that the requests of a herd wait until all its connections have arrived. */
const MAX_GATHER_MS = 2000;
/** After this many turns without a new request, all connections of a herd have probably arrived. */
const CALM_TURNS = 6;

/** Spreads the work of a process over turns. A turn is one iteration of the event loop. */
export interface Turns {
  /**
   * Runs the work of a request. It begins immediately, unless such work has already blocked the event loop for 15 ms.
   * Then requests wait, and begin one after the other in later turns. Otherwise a thousand requests that arrive
   * together would be handled in one turn, while timers and other connections wait.
   *
   * Node.js accepts only one connection in each turn. While a herd of clients connects, turns are therefore as short as
   * possible, so that a health check behind the herd is accepted soon.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Resolves when a turn has time for the caller, in the order of the calls. Returns undefined if this turn has time.
   */
  wait(): Promise<void> | undefined;
  /**
   * Lets other work of the event loop run if the server's work has blocked it for too long. Unlike `wait`, it does not
   * queue behind other callers. Call it in work that has already begun, and only where one caller runs at a time.
   * Returns undefined if there is no need to wait.
   */
  letOthersRun(): Promise<void> | undefined;
}

export function createTurns({
  monotonic,
  setImmediate,
}: Pick<Runtime, 'monotonic' | 'setImmediate'>): Turns {
  let running = 0;
  let turnsSinceArrival = 0;
  let startedAt = 0;
  let isScheduled = false;
  /** The waiting callers, in the order of their calls, and when the first of them began to wait. */
  let waiting: (() => void)[] = [];
  let waitingSince = 0;

  const isArriving = () => running > HERD && turnsSinceArrival < CALM_TURNS;

  /** Returns whether this turn has time for more work. While a herd arrives, each turn does only one piece of work. */
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
      // This work settles promises, whose handlers run in this turn too. Wait until they have run before checking the
      // time.
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
