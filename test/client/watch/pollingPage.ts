import type { BackendSettings } from '../../../src/client/backend/fetchBackend.js';
import type { PageEvent } from '../../../src/client/watch/pageRuntime.js';
import { createPollers, type HistoryState } from '../../../src/client/watch/poller.js';
import type { RampError } from '../../../src/protocol/errors/RampError.js';
import type {
  CheckoutProgress,
  CheckoutResponse,
  ListedCheckout,
} from '../../../src/protocol/handler/CheckoutResponse.js';
import { createVirtualTime } from '../../support/server/virtualTime.js';

const checkout = (
  reference: string,
  progress: CheckoutProgress = 'waiting',
  widget: CheckoutResponse['widget'] = 'on-ramp',
): CheckoutResponse => ({ reference, widget, progress, orders: [] });

export const listed = (reference: string, progress?: CheckoutProgress): ListedCheckout => ({
  ...checkout(reference, progress),
  createdAt: 1_790_000_000 - Number(reference.slice(1)),
});

const describe = ({ code, status }: RampError) => (status ? `${code} ${status}` : code);

/** A request of the page for states and a list. */
export interface SentPoll {
  /** When it was sent, in seconds since the page was opened. */
  readonly at: number;
  readonly url: string;
  readonly references: readonly string[];
  readonly limit: number;
  readonly tag: string | null;
  readonly token: string | null;
}

/**
 * A page in virtual time and without a browser, with the pollers of the package, and a backend whose checkouts a test
 * changes. `random` is 0.5, so that pauses have no jitter.
 */
export function createPollingPage() {
  const time = createVirtualTime();
  const listeners = new Set<(event: PageEvent) => void>();
  const page = { isHidden: false, random: 0.5 };
  const backend = {
    /** The states by reference. */
    states: new Map<string, CheckoutResponse>(),
    /** The list, newest first. */
    list: [] as ListedCheckout[],
    pollAfterSeconds: 3 as unknown,
    /** Sends a tag, and 304 if nothing has changed. */
    hasTags: false,
    /** Replaces the response. */
    respond: undefined as ((poll: SentPoll) => Response | Promise<Response>) | undefined,
    /** How long each response takes, in seconds. */
    latencySeconds: 0,
  };
  const polls: SentPoll[] = [];
  let inFlight = 0;
  let mostInFlight = 0;

  async function answer(poll: SentPoll, cursor: string | null): Promise<Response> {
    if (backend.respond) return backend.respond(poll);
    const from = cursor === null ? 0 : Number(cursor);
    const end = from + poll.limit;
    const body = {
      checkouts: backend.list.slice(from, end),
      ...(poll.references.length > 0 && {
        named: poll.references.flatMap((reference) => backend.states.get(reference) ?? []),
      }),
      ...(poll.limit > 0 && end < backend.list.length && { nextCursor: `${end}` }),
      pollAfterSeconds: backend.pollAfterSeconds,
    };
    if (!backend.hasTags) return Response.json(body);
    const tag = JSON.stringify(JSON.stringify(body).length + JSON.stringify(body));
    return poll.tag === tag
      ? new Response(null, { status: 304 })
      : Response.json(body, { headers: { ETag: encodeURIComponent(tag) } });
  }

  async function fetch(url: string, init: RequestInit): Promise<Response> {
    const { searchParams } = new URL(url, 'https://shop.example');
    const headers = new Headers(init.headers);
    const tag = headers.get('If-None-Match');
    const poll = {
      at: time.elapsedMs / 1000,
      url,
      references: searchParams.get('references')?.split(',') ?? [],
      limit: Number(searchParams.get('limit') ?? 0),
      tag: tag && decodeURIComponent(tag),
      token: headers.get('X-Token'),
    };
    polls.push(poll);
    mostInFlight = Math.max(mostInFlight, ++inFlight);
    try {
      if (backend.latencySeconds > 0)
        await new Promise<void>((done, fail) => {
          time.runtime.setTimeout(done, backend.latencySeconds * 1000);
          init.signal?.addEventListener('abort', () => fail(new Error('aborted')));
        });
      return await answer(poll, searchParams.get('cursor'));
    } finally {
      inFlight--;
    }
  }

  const pollers = createPollers(() => ({
    now: () => time.elapsedMs,
    random: () => page.random,
    setTimeout: (work, ms) => time.runtime.setTimeout(work, ms),
    clearTimeout: (timer) => time.runtime.clearTimeout(timer as never),
    isHidden: () => page.isHidden,
    log: ({ code }) => logs.push(code),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  }));
  const logs: string[] = [];
  const defaults: BackendSettings = { api: '/api/ramp', fetch };

  return {
    backend,
    polls,
    page,
    /** The codes of the errors that the page has printed to the console. */
    logs,
    pass: time.pass,
    get mostInFlight() {
      return mostInFlight;
    },
    /** Whether the page listens to events, which it does only while it watches something. */
    get isListening() {
      return listeners.size > 0;
    },
    emit(event: PageEvent) {
      for (const listener of [...listeners]) listener(event);
    },
    hide(isHidden: boolean) {
      page.isHidden = isHidden;
      this.emit('visibility');
    },
    setState(reference: string, progress?: CheckoutProgress, widget?: CheckoutResponse['widget']) {
      backend.states.set(reference, checkout(reference, progress, widget));
    },
    /** Watches a checkout, and records what the watch reports. */
    watch(reference: string, settings: BackendSettings | (() => BackendSettings) = {}) {
      const reports: string[] = [];
      const read = typeof settings === 'function' ? settings : () => settings;
      const watch = pollers.watchCheckout(() => ({ ...defaults, ...read() }), reference, {
        onChange: ({ progress }) => reports.push(progress),
        onError: (error) => reports.push(error ? describe(error) : 'ok'),
      });
      return { ...watch, reports };
    },
    /** Watches the list, and records what it shows. */
    show(pageSize = 20, settings: BackendSettings = {}) {
      const states: HistoryState[] = [];
      const watch = pollers.watchHistory(() => ({ ...defaults, ...settings }), {
        pageSize,
        onChange: (state) => states.push(state),
      });
      return {
        ...watch,
        states,
        /** The references with their progress, such as `c1 waiting`. */
        get lines() {
          return states.at(-1)?.data?.map(({ reference, progress }) => `${reference} ${progress}`);
        },
      };
    },
  };
}
