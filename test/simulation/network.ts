import type { Runtime } from '../../src/server/internal/runtime.js';
import type { Plan } from './plan.js';
import type { Random } from './random.js';
import type { Service } from './service.js';
import { EPOCH_MS, type World, type WorldProcess } from './world.js';

const API_FAULTS = [
  'lost',
  'reset',
  'reset-after',
  '500',
  '502',
  '503',
  '429',
  'truncated',
  'cut',
  'slow',
  'garbage',
  'code',
  'stale',
  'delay',
] as const;
const OUTAGE_FAULTS = ['lost', 'reset', '503'] as const;
const GARBAGE = [
  '',
  'null',
  '{}',
  '[]',
  '{"code":"10000"}',
  '{"code":10000,"data":{"page":1,"size":20,"totalCount":0}}',
];

/** Creates the `fetch` of an instance. It reaches only the order list of the service, over an unreliable network. */
export function createApiFetch(
  service: Service,
  process: WorldProcess,
  onSend: () => void,
): Runtime['fetch'] {
  const { world, plan } = service;
  const random = world.random(`api-${process.name}`);
  /** Until when a refused request must not be repeated (Retry-After), by its query, and the reading that sent it. */
  const refused = new Map<string, { readonly untilMs: number; readonly reading: number }>();
  return (input, { signal } = {}) => {
    onSend();
    const url = new URL(`${input}`);
    const reading = process.readings;
    const refusal = refused.get(url.search);
    // A new reading may begin at once with the same request, which is no retry.
    if (refusal?.reading === reading && world.nowMs < refusal.untilMs)
      world.violate('retry-early', `${process.name} repeated a request before Retry-After`);
    const fault = decideApiFault(world, plan, random);
    const { searchParams: query } = url;
    const days = (Number(query.get('endTime')) - Number(query.get('startTime'))) / 86_400;
    const listMs = days * plan.listMsPerDay;
    const goMs = random.log(5, 200) + listMs + (fault === 'delay' ? random.log(500, 6000) : 0);
    const backMs = random.log(5, 200);
    world.tell(
      `${process.name} lists orders ${query.get('startTime')} to ${query.get('endTime')}, page ${query.get('page')}${fault && `: ${fault}`}`,
    );
    return new Promise((resolve, reject) => {
      if (process.isDead) return;
      const abort = () => reject(signal?.reason);
      if (signal?.aborted) return abort();
      signal?.addEventListener('abort', abort, { once: true });
      if (fault === 'lost') return;
      const end = (work: () => void) =>
        world.after(
          backMs,
          () => {
            // A process that was suspended for longer than its time limit never sees the response.
            if (signal?.aborted) return;
            signal?.removeEventListener('abort', abort);
            work();
          },
          process,
        );
      const fail = () => end(() => reject(createNetworkError('ECONNRESET')));
      const respond = (status: number, text: string, headers?: Record<string, string>, how?: How) =>
        end(() => {
          const pauseMs = Number(headers?.['retry-after'] ?? 0) * 1000;
          if (pauseMs) refused.set(url.search, { untilMs: world.nowMs + pauseMs, reading });
          resolve(createApiResponse(process, random, { status, text, headers, how, signal }));
        });
      world.after(goMs, () => {
        if (fault === 'reset') return fail();
        if (service.hasBadDay(query)) return respond(500, '{"code":50000,"msg":"x","data":null}');
        const body = JSON.stringify(service.list(query, decideListTime(service, random, fault)));
        if (fault === 'reset-after') return fail();
        if (/^\d+$/.test(fault)) {
          const text = random.pick(['<html>bad gateway', '{"code":50000,"msg":"x","data":null}']);
          if (fault !== '429') return respond(Number(fault), text);
          return respond(Number(fault), text, { 'retry-after': `${random.int(0, 4)}` });
        }
        if (fault === 'truncated') return respond(200, body.slice(0, random.int(0, body.length)));
        if (fault === 'garbage') {
          // Some garbage looks like an empty list, which nobody can tell from a list that is out of date.
          service.staleAtMs = world.nowMs;
          return respond(200, random.pick(GARBAGE));
        }
        if (fault === 'code') return respond(200, '{"code":10002,"msg":"no","data":null}');
        respond(200, body, {}, fault === 'cut' || fault === 'slow' ? fault : undefined);
      });
    });
  };
}

function decideApiFault(world: World, plan: Plan, random: Random): string {
  const isActive = world.nowMs < plan.activeMs;
  const share = world.nowMs / plan.activeMs;
  const end = plan.isDownFirst ? plan.outage : 0.95;
  if (plan.outage && share > end - plan.outage && share < end) return random.pick(OUTAGE_FAULTS);
  return isActive && random.chance(plan.network) ? random.pick(API_FAULTS) : '';
}

/** Returns the time at which the list was current: some lists come from a replica or a cache that is behind. */
function decideListTime(service: Service, random: Random, fault: string): number {
  const { world, plan } = service;
  const isReplica = world.nowMs < plan.activeMs && random.chance(plan.replica);
  if (!isReplica && fault !== 'stale') return world.nowMs;
  service.staleAtMs = world.nowMs;
  return world.nowMs - random.log(500, isReplica ? 1_800_000 : 120_000);
}

const createNetworkError = (code: string) =>
  Object.assign(new TypeError('fetch failed'), { cause: { code } });

type How = 'cut' | 'slow' | undefined;

/** Creates a response of the service. Its body may arrive slowly, or break off. */
function createApiResponse(
  process: WorldProcess,
  random: Random,
  {
    status,
    text,
    headers = {},
    how,
    signal,
  }: {
    status: number;
    text: string;
    headers?: Record<string, string> | undefined;
    how?: How;
    signal: AbortSignal | null | undefined;
  },
): Response {
  const { world } = process;
  const date = new Date(EPOCH_MS + world.nowMs).toUTCString();
  const init = { status, headers: { date, ...headers } };
  if (!how) return createCompleteResponse(text, init);
  const bytes = Buffer.from(text);
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await world.sleep(how === 'slow' ? random.log(50, 1500) : 5, process);
      if (signal?.aborted) return controller.error(signal.reason);
      if (how === 'cut' && sent > bytes.length / 3)
        return controller.error(createNetworkError('UND_ERR_SOCKET'));
      controller.enqueue(bytes.subarray(sent, sent + 400));
      sent += 400;
      if (sent < bytes.length) return;
      if (how === 'cut') controller.error(createNetworkError('UND_ERR_SOCKET'));
      else controller.close();
    },
  });
  return new Response(body, init);
}

/**
 * Creates a response whose body has arrived. It has only what the partner API client reads, because the stream of a
 * real `Response` takes a tenth of the time of a run.
 */
function createCompleteResponse(
  text: string,
  { status, headers }: { status: number; headers: Record<string, string> },
): Response {
  const body = {
    async *[Symbol.asyncIterator]() {
      yield Buffer.from(text);
    },
  };
  const ok = status >= 200 && status < 300;
  return { type: 'basic', status, ok, headers: new Headers(headers), body } as unknown as Response;
}

/** Where a request of a page or of the service arrives. */
export interface FrontTarget {
  readonly process: WorldProcess;
  handle(request: Request): Promise<Response>;
  /** Called before the response is sent. The process may crash there. */
  onResponse(): void;
}

export interface FrontRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | null | undefined;
}

const FRONT_FAULTS = [
  'lost',
  'reset',
  'reset-after',
  'delay',
  'slow-back',
  'slow-back',
  'slow-back',
  '502',
  'stalled',
  'stalled',
] as const;
/** A page must often get a slow response while a newer event is on its way. */
const PAGE_FAULTS = [...FRONT_FAULTS, 'slow-back', 'slow-back', 'slow-back'] as const;

/**
 * Sends a request to the shop, over an unreliable network and a load balancer.
 *
 * @param client - The page that sends the request. Undefined for the service and for people without a page.
 * @param pickTarget - Returns a running instance, or undefined if there is none.
 */
export function fetchShop(
  world: World,
  plan: Plan,
  client: WorldProcess | undefined,
  pickTarget: (random: Random) => FrontTarget | undefined,
  url: string,
  { method, headers, body, signal }: FrontRequest,
): Promise<Response> {
  const random = world.random(`front-${client?.name ?? 'others'}`);
  const isActive = world.nowMs < plan.activeMs;
  // The connections of shoppers, who may be on their phones, fail more often than those of the service.
  const chance = client ? Math.min(2 * plan.front, 0.6) : plan.front;
  const fault =
    isActive && random.chance(chance) ? random.pick(client ? PAGE_FAULTS : FRONT_FAULTS) : '';
  const goMs = random.log(3, 150) + (fault === 'delay' ? random.log(500, 20_000) : 0);
  const backMs = random.log(3, 150) + (fault === 'slow-back' ? random.log(1000, 20_000) : 0);
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    let isSettled = false;
    const server = new AbortController();
    const settle = (work: () => void) => {
      if (isSettled) return;
      isSettled = true;
      signal?.removeEventListener('abort', onAbort);
      work();
    };
    const onAbort = () => {
      settle(() => reject(signal?.reason));
      world.after(goMs, () => server.abort());
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    const fail = (ms = backMs) =>
      void world.after(ms, () => settle(() => reject(new TypeError('fetch failed'))), client);
    const respond = (response: Response) =>
      void world.after(backMs, () => settle(() => resolve(response)), client);
    if (fault === 'lost') return fail(60_000);
    if (fault === '502') return respond(new Response('<html>', { status: 502 }));
    const createRequest = () =>
      new Request(url, {
        method,
        headers,
        signal: server.signal,
        ...(body !== undefined && { body }),
      });
    /** Sends the request once more, perhaps to another instance, as a proxy does that gets no response in time. */
    const sendAgain = (duplicates: Random) => {
      const target = pickTarget(duplicates);
      if (!target) return;
      world.tell(`${method} ${new URL(url).pathname} arrives twice`);
      world.after(0, () => void target.handle(createRequest()), target.process);
    };
    world.after(goMs, () => {
      if (isSettled || fault === 'reset') return fail();
      const target = pickTarget(random);
      if (!target) return fail();
      if (isActive && plan.duplicates > 0 && method === 'POST') {
        const duplicates = world.random('duplicates');
        const inMs = duplicates.log(1, 20_000);
        if (duplicates.chance(plan.duplicates)) world.after(inMs, () => sendAgain(duplicates));
      }
      const { process } = target;
      process.onDeath(() => {
        if (!isSettled && !process.hasEnded) fail();
      });
      const accept = async () => {
        const request = createRequest();
        const response = await target.handle(request);
        if (process.isDead) return;
        target.onResponse();
        if (process.isDead || fault === 'reset-after') return fail();
        const { status, headers: sent } = response;
        const text = await response.text();
        if (process.isDead) return;
        const isStalled = fault === 'stalled' && text !== '';
        const sentBody = isStalled ? createStalledBody(text, signal) : text || null;
        respond(new Response(sentBody, { status, headers: sent }));
      };
      // A frozen instance accepts the request only once its event loop runs again.
      world.after(0, () => void accept(), process);
    });
  });
}

/** Creates a body of which only the beginning arrives. */
const createStalledBody = (text: string, signal: AbortSignal | null | undefined) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from(text.slice(0, text.length / 2)));
      signal?.addEventListener('abort', () => controller.error(signal.reason), { once: true });
    },
  });
