import { createRuntime, type Runtime, type Timer } from '../../src/server/internal/runtime.js';
import type { InvariantName } from './invariants.js';
import { createRandom, type Random } from './random.js';

/** Virtual time begins here, Unix milliseconds. */
export const EPOCH_MS = 1_790_000_000_000;

/** Work that runs at a moment of virtual time. */
class WorldEvent {
  isCancelled = false;

  constructor(
    public timeMs: number,
    /** Events of the same time run in the order in which they were added. */
    readonly order: number,
    public work: () => void,
    readonly owner: WorldProcess | undefined,
  ) {}

  cancel(): void {
    this.isCancelled = true;
    // A cancelled event stays in the queue until its time. Meanwhile it must not keep anything else in memory.
    this.work = doNothing;
  }
}

const doNothing = () => {};

/** A broken invariant. `atMs` is in virtual milliseconds. */
export interface Violation {
  readonly name: InvariantName;
  readonly detail: string;
  readonly atMs: number;
}

export interface WorldOptions {
  /** Whether to keep the story: the text of everything that happens. */
  readonly isTold?: boolean;
  readonly maxEvents?: number;
  /** Whether something outside the world, such as a real server, may go on between any two events. */
  readonly hasHost?: boolean;
}

/** The host's `setImmediate`. Its callback runs after those of all promises that an event has settled. */
const setImmediateOfHost = globalThis.setImmediate;
const settle = () => new Promise<void>((done) => setImmediateOfHost(done));

/**
 * Runs all callbacks of `process.nextTick` and of settled promises, as Node.js does between two callbacks of
 * `setImmediate`. An iteration of the event loop for each event would take much longer.
 */
const runSettled = (process as unknown as { _tickCallback(): void })._tickCallback;
/** After this many events, the event loop may do its own work, such as cleaning up after the garbage collector. */
const EVENTS_PER_TURN = 500;

/**
 * Virtual time, and the queue of everything that will happen. Events run one after another, and each one ends only when
 * the callbacks of all promises that it settles have run. So the order of everything follows from the seed.
 */
export class World {
  /** Milliseconds since the start, by a perfect clock. */
  nowMs = 0;
  /** The process whose code runs now. */
  current: WorldProcess | undefined;
  eventCount = 0;
  /** The hash of the story, even if the story is not kept. Two runs of a seed have the same hash. */
  hash = 0;
  readonly violations: Violation[] = [];
  /** A line for each thing that happened. Empty unless `isTold` is set. */
  readonly story: string[] = [];
  readonly #queue: WorldEvent[] = [];
  readonly #streams = new Map<string, Random>();
  readonly #held = new Set<Promise<unknown>>();
  #added = 0;
  /** How many events follow before the next iteration of the event loop. */
  #eventsLeft = 0;

  constructor(
    readonly seed: string,
    readonly options: WorldOptions = {},
  ) {}

  /** Returns the random generator of a named stream. Each stream is independent of the others. */
  random(stream: string): Random {
    const known = this.#streams.get(stream);
    if (known) return known;
    const created = createRandom(this.seed, stream);
    this.#streams.set(stream, created);
    return created;
  }

  /** Unix seconds by a perfect clock. */
  get seconds(): number {
    return Math.floor((EPOCH_MS + this.nowMs) / 1000);
  }

  tell(text: string): void {
    const line = `${(this.nowMs / 1000).toFixed(3)} ${text}`;
    for (let i = 0; i < line.length; i++)
      this.hash = (Math.imul(this.hash, 31) + line.charCodeAt(i)) | 0;
    if (this.options.isTold) this.story.push(line);
  }

  violate(name: InvariantName, detail: string): void {
    const isKnown = this.violations.some((known) => known.name === name && known.detail === detail);
    if (isKnown) return;
    this.violations.push({ name, detail, atMs: this.nowMs });
    this.tell(`BROKEN ${name}: ${detail}`);
  }

  /** Runs work after a time. Work of a process is skipped when the process is dead, and waits while it is frozen. */
  after(ms: number, work: () => void, owner?: WorldProcess): { cancel(): void } {
    const event = new WorldEvent(this.nowMs + Math.max(0, ms), this.#added++, work, owner);
    push(this.#queue, event);
    return event;
  }

  sleep(ms: number, owner?: WorldProcess): Promise<void> {
    return new Promise((done) => this.after(ms, done, owner));
  }

  /**
   * Lets the world stand still until something outside it has ended, such as a statement of a real database. Meanwhile
   * the globals are those of the host. Calls of this method run one after another, so their order is always the same.
   */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    const previous = [...this.#held].at(-1);
    const pending = Promise.allSettled([previous]).then(work);
    this.#held.add(pending);
    try {
      return await pending;
    } finally {
      this.#held.delete(pending);
    }
  }

  /** Lets the event loop run what the current event has passed to the host's `setImmediate`, after the next event. */
  yieldToHost(): void {
    this.#eventsLeft = Math.min(this.#eventsLeft, 2);
  }

  get isHeld(): boolean {
    return this.#held.size > 0;
  }

  /** Waits until no work is left that can proceed without advancing the virtual clock. */
  async #settle(): Promise<void> {
    do {
      await settle();
      await Promise.allSettled(this.#held);
    } while (this.#held.size > 0);
  }

  async runUntil(endMs: number): Promise<void> {
    await this.#settle();
    const isDue = () => {
      const [next] = this.#queue;
      return next !== undefined && next.timeMs <= endMs;
    };
    const { maxEvents = 2_000_000 } = this.options;
    while (isDue()) {
      await this.#runTurn(isDue, maxEvents);
      if (this.isHeld) await this.#settle();
      this.current = undefined;
      if (this.eventCount > maxEvents)
        return this.violate('endless', `more than ${maxEvents} events`);
    }
    this.nowMs = Math.max(this.nowMs, endMs);
  }

  /** Runs events in one iteration of the event loop, until one holds the world or has exceeded `maxEvents`. */
  #runTurn(isDue: () => boolean, maxEvents: number): Promise<void> {
    return new Promise((done, fail) =>
      setImmediateOfHost(() => {
        try {
          this.#eventsLeft = this.options.hasHost ? 1 : EVENTS_PER_TURN;
          while (this.#eventsLeft > 0 && isDue() && !this.isHeld) {
            const event = this.#takeNext();
            if (!event) continue;
            if (++this.eventCount > maxEvents) break;
            this.current = event.owner;
            event.work();
            runSettled();
            this.#eventsLeft--;
            if (!this.isHeld) this.current = undefined;
          }
          done();
        } catch (error) {
          fail(error);
        }
      }),
    );
  }

  /** Takes the next event, and advances the clock. Returns undefined if the event must not run now. */
  #takeNext(): WorldEvent | undefined {
    const event = pop(this.#queue);
    const { owner } = event;
    if (event.isCancelled || owner?.isDead) return undefined;
    if (owner && owner.frozenUntilMs > event.timeMs) {
      event.timeMs = owner.frozenUntilMs;
      push(this.#queue, event);
      return undefined;
    }
    this.nowMs = Math.max(this.nowMs, event.timeMs);
    return event;
  }
}

const isBefore = (a: WorldEvent, b: WorldEvent) =>
  a.timeMs < b.timeMs || (a.timeMs === b.timeMs && a.order < b.order);

function push(heap: WorldEvent[], event: WorldEvent): void {
  let i = heap.push(event) - 1;
  while (i > 0) {
    const parent = (i - 1) >> 1;
    const above = heap[parent] as WorldEvent;
    if (isBefore(above, event)) break;
    heap[i] = above;
    i = parent;
  }
  heap[i] = event;
}

/** Removes and returns the first event of a binary heap that is not empty. */
function pop(heap: WorldEvent[]): WorldEvent {
  const first = heap[0] as WorldEvent;
  const last = heap.pop() as WorldEvent;
  if (heap.length === 0) return first;
  let i = 0;
  for (;;) {
    let child = 2 * i + 1;
    if (child >= heap.length) break;
    const right = heap[child + 1];
    if (right && isBefore(right, heap[child] as WorldEvent)) child++;
    const below = heap[child] as WorldEvent;
    if (!isBefore(below, last)) break;
    heap[i] = below;
    i = child;
  }
  heap[i] = last;
  return first;
}

class WorldTimer implements Timer {
  event: { cancel(): void } | undefined;

  unref(): this {
    return this;
  }
}

/** A process with this many timers has run away. Even with all its requests in progress it needs fewer. */
const RUNAWAY_TIMERS = 300;

/**
 * A process: an instance of the backend, or a page. It has its own clocks. After its death, nothing of it runs any
 * more.
 */
export class WorldProcess {
  isDead = false;
  /** Whether the process has died after its last response, which still arrives. */
  hasEnded = false;
  /** How many readings of the order list the process has begun. */
  readings = 0;
  frozenUntilMs = 0;
  /** How far the wall clock is ahead. */
  skewMs = 0;
  /** Time that the monotonic clock has not counted, because the machine was suspended. */
  suspendedMs = 0;
  readonly random: Random;
  readonly timers = new Set<WorldTimer>();
  readonly #bootedAtMs: number;
  readonly #onDeath: (() => void)[] = [];

  constructor(
    readonly world: World,
    readonly name: string,
    readonly isPage = false,
  ) {
    this.random = world.random(name);
    this.#bootedAtMs = world.nowMs;
  }

  onDeath(work: () => void): void {
    this.#onDeath.push(work);
  }

  die(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.timers.clear();
    for (const work of this.#onDeath) work();
  }

  /** Ends the process, as the host of a function does after the response. */
  end(): void {
    this.hasEnded = true;
    this.die();
  }

  freeze(ms: number, isSuspended: boolean): void {
    this.frozenUntilMs = Math.max(this.frozenUntilMs, this.world.nowMs + ms);
    if (isSuspended) this.suspendedMs += ms;
  }

  /** The wall clock, Unix milliseconds. */
  readonly wall = (): number => Math.floor(EPOCH_MS + this.world.nowMs + this.skewMs);

  readonly monotonic = (): number => this.world.nowMs - this.#bootedAtMs - this.suspendedMs;

  readonly setTimeout = (work: () => void, ms: number): WorldTimer => {
    const timer = this.#createTimer();
    const end = () => {
      this.timers.delete(timer);
      work();
    };
    timer.event = this.world.after(toDelay(ms), end, this);
    return timer;
  };

  readonly setInterval = (work: () => void, ms: number): WorldTimer => {
    const timer = this.#createTimer();
    const schedule = () => {
      timer.event = this.world.after(toDelay(ms), repeat, this);
    };
    const repeat = () => {
      schedule();
      work();
    };
    schedule();
    return timer;
  };

  readonly clearTimer = (timer: unknown): void => {
    const known = timer as WorldTimer | undefined;
    known?.event?.cancel();
    if (known) this.timers.delete(known);
  };

  #createTimer(): WorldTimer {
    const timer = new WorldTimer();
    this.timers.add(timer);
    if (this.timers.size > RUNAWAY_TIMERS) {
      this.world.violate('grows', `${this.name} has ${this.timers.size} timers`);
      // Thousands of timers would keep the run from ending.
      this.die();
    }
    return timer;
  }

  /** Creates the runtime of this process, which replaces every clock, timer and source of randomness of the server. */
  createRuntime(fetch: Runtime['fetch']): Runtime {
    const { random } = this;
    return createRuntime({
      now: this.wall,
      monotonic: this.monotonic,
      setTimeout: this.setTimeout,
      clearTimeout: this.clearTimer,
      setInterval: this.setInterval,
      clearInterval: this.clearTimer,
      setImmediate: (work) => void this.world.after(0, work, this),
      random: () => random.next(),
      randomBytes: (size) => random.bytes(size),
      randomInt: (least, limit) => random.int(least, limit - 1),
      randomUUID: () => random.bytes(16).toString('hex'),
      fetch,
    });
  }
}

/** Returns the delay that Node.js uses: one millisecond if the given delay is too short or too long. */
const toDelay = (ms: number) => (ms >= 1 && ms <= 2 ** 31 - 1 ? ms : 1);

// Load the HTTP code of Node.js now. Otherwise Node.js would load it at the first use, inside the world.
void new Request('http://localhost', { signal: new AbortController().signal });
void new Response('').body;

const PAGE_GLOBALS = ['setTimeout', 'clearTimeout', 'performance', 'window', 'document'] as const;

/**
 * Replaces the globals that the code of a page uses, until the returned function is called. Each page has its own
 * `window` and `document`. Code of the server must use its runtime, so each use of these globals by the server breaks
 * an invariant. Code outside the world, such as the test runner, gets the original globals.
 */
export function replacePageGlobals(world: World): () => void {
  const targets = new WeakMap<WorldProcess, { window: EventTarget; document: EventTarget }>();
  const getTargets = (page: WorldProcess) => {
    const known = targets.get(page);
    if (known) return known;
    const document = Object.assign(new EventTarget(), { hidden: false });
    const created = { window: new EventTarget(), document };
    targets.set(page, created);
    return created;
  };
  const replacements: Record<(typeof PAGE_GLOBALS)[number], (page: WorldProcess) => unknown> = {
    setTimeout: (page) => page.setTimeout,
    clearTimeout: (page) => page.clearTimer,
    performance: (page) => ({ now: page.monotonic }),
    window: (page) => getTargets(page).window,
    document: (page) => getTargets(page).document,
  };
  const restore = PAGE_GLOBALS.map((name) => {
    const original = Object.getOwnPropertyDescriptor(globalThis, name);
    const value: unknown = Reflect.get(globalThis, name);
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get() {
        const { current } = world;
        if (!current || world.isHeld) return value;
        if (current.isPage) return replacements[name](current);
        world.violate('runtime-bypassed', `${current.name} used the global ${name}`);
        return value;
      },
    });
    return () => {
      if (original) Object.defineProperty(globalThis, name, original);
      else Reflect.deleteProperty(globalThis, name);
    };
  });
  return () => {
    for (const undo of restore) undo();
  };
}
