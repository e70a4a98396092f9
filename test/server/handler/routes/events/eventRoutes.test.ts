import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  memoryOrderStore,
  type OrderStore,
  type RampHandlerOptions,
} from '../../../../../src/server/index.js';
import { createTestHandler, origin } from '../../../../support/server/createTestHandler.js';
import {
  baseTime,
  nftIntent,
  nftOrder,
  onRampIntent,
} from '../../../../support/server/orderFixtures.js';

const getSubject = ({ request }: { request: Request }) =>
  request.headers.get('x-user') ?? undefined;

interface Event {
  readonly id: string;
  readonly data: { readonly progress: string };
}

function made(options: Partial<RampHandlerOptions<unknown>> & { store?: OrderStore } = {}) {
  const store = options.store ?? memoryOrderStore();
  const handler = createTestHandler({ store, getSubject, now: () => baseTime * 1000, ...options });
  const ask = (reference = 'r1', init: RequestInit = {}) =>
    handler(
      new Request(`https://shop.example/api/ramp/checkouts/${reference}/events`, {
        ...init,
        headers: { origin, 'x-user': 'u1', ...init.headers },
      }),
    );
  const open = async (reference = 'r1', headers: Record<string, string> = {}) => {
    const response = await ask(reference, { headers });
    return { response, ...reading(response) };
  };
  return { store, ask, open };
}

/** Reads server-sent events as a browser does. */
function reading(response: Response) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  const next = async (): Promise<Event> => {
    for (;;) {
      const at = text.indexOf('\n\n');
      if (at >= 0) {
        const lines = text.slice(0, at).split('\n');
        text = text.slice(at + 2);
        const field = (name: string) =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
        if (field('event') === 'checkout')
          return { id: field('id'), data: JSON.parse(field('data')) };
        continue;
      }
      const { value, done } = await reader.read();
      if (done) throw new Error('The stream ended.');
      text += decoder.decode(value, { stream: true });
    }
  };
  const raw = async () => decoder.decode((await reader.read()).value);
  return { next, raw, close: () => reader.cancel() };
}

describe('GET /checkouts/:reference/events', () => {
  it('says how it is, and again at each change, until it is closed', async () => {
    const { store, open } = made();
    await store.saveIntent(nftIntent());
    const { response, next, close } = await open();
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    expect((await next()).data).toMatchObject({ reference: 'r1', progress: 'waiting' });
    await store.recordOrders([nftOrder('finished')], baseTime);
    const finished = await next();
    expect(finished.data.progress).toBe('finished');
    expect(finished.id).toBe(`${await store.lastEventId()}`);
    await store.recordOrders([nftOrder('settled')], baseTime);
    expect((await next()).data.progress).toBe('settled');
    await close();
  });

  it('hears what another instance has written, and of its own checkout alone', async () => {
    const store = memoryOrderStore();
    const [one, other] = [made({ store }), made({ store })];
    await store.saveIntent(onRampIntent());
    await store.saveIntent(nftIntent({ reference: 'r2', subject: 'u2' }));
    const mine = await one.open();
    const theirs = await other.open('r2', { 'x-user': 'u2' });
    await mine.next();
    await theirs.next();
    await store.recordOrders([nftOrder('finished', { ext: 'r2' })], baseTime);
    expect((await theirs.next()).data.progress).toBe('finished');
    await store.recordOutcome('r1', 'unconfirmed', baseTime);
    expect((await mine.next()).data.progress).toBe('unconfirmed');
    await mine.close();
    await theirs.close();
  });

  it('sends whom it knows to be up to date nothing until there is news', async () => {
    const { store, open } = made();
    await store.saveIntent(nftIntent());
    await store.recordOrders([nftOrder('finished')], baseTime);
    const first = await open();
    const { id } = await first.next();
    await first.close();
    const again = await open('r1', { 'Last-Event-ID': id });
    await store.recordOrders([nftOrder('settled')], baseTime);
    expect((await again.next()).data.progress).toBe('settled');
    await again.close();
    const late = await open('r1', { 'Last-Event-ID': id });
    expect((await late.next()).data.progress).toBe('settled');
    await late.close();
  });

  it('says something every 15 seconds, as proxies close what says nothing', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { store, open } = made();
    await store.saveIntent(onRampIntent());
    const { next, raw, close } = await open();
    await next();
    for (let beats = 0; beats < 3; beats++) {
      const beat = raw();
      await vi.advanceTimersByTimeAsync(15_000);
      expect(await beat).toBe(':\n\n');
    }
    await close();
  });

  it('ends the stream of a reader that never reads, and has its place for another', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { store, ask } = made({ maxStreams: { perSubject: 1, total: 9 } });
    await store.saveIntent(onRampIntent());
    const slow = await ask();
    await vi.advanceTimersByTimeAsync(60 * 15_000);
    const refused = await ask();
    expect(refused.status).toBe(429);
    await vi.advanceTimersByTimeAsync(20 * 15_000);
    const next = await ask();
    expect(next.status).toBe(200);
    await next.body?.cancel();
    // What is left of the first one is bounded, and it ends.
    let chunks = 0;
    for await (const _ of slow.body ?? []) chunks++;
    expect(chunks).toBe(66);
  });

  it('is told to nobody else', async () => {
    const { store, open } = made();
    await store.saveIntent(onRampIntent());
    const responses = await Promise.all(
      [{ 'x-user': 'u2' }, { 'x-user': '' }].map(
        async (headers) => (await open('r1', headers)).response,
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual([404, 404]);
    expect((await open('r9')).response.status).toBe(404);
  });

  it('has a limit for each subject and for all, and room again once one is closed', async () => {
    const { store, open } = made({ maxStreams: { perSubject: 2, total: 3 } });
    await store.saveIntent(onRampIntent());
    await store.saveIntent(onRampIntent({ reference: 'r2', subject: 'u2' }));
    const first = await open();
    await open();
    expect((await open()).response.status).toBe(429);
    await open('r2', { 'x-user': 'u2' });
    const full = await open('r2', { 'x-user': 'u2' });
    expect([full.response.status, full.response.headers.get('retry-after')]).toEqual([429, '30']);
    await first.close();
    expect((await open()).response.status).toBe(200);
  });

  it('has its limit for each checkout where anyone may ask, as all guests may be one subject', async () => {
    const { store, open } = made({ getSubject: 'anyone', maxStreams: { perSubject: 1, total: 9 } });
    await store.saveIntent(onRampIntent({ subject: 'guest' }));
    await store.saveIntent(onRampIntent({ reference: 'r2', subject: 'guest' }));
    const streams = [await open('r1'), await open('r2'), await open('r2')];
    expect(streams.map(({ response }) => response.status)).toEqual([200, 200, 429]);
    for (const { close } of streams) await close();
  });

  it('closes a stream whose request is aborted, also before it is read', async () => {
    const { store, ask, open } = made({ maxStreams: { perSubject: 1, total: 1 } });
    await store.saveIntent(onRampIntent());
    for (const abortsAt of ['before', 'after']) {
      const left = new AbortController();
      if (abortsAt === 'before') left.abort();
      const { status, body } = await ask('r1', { signal: left.signal });
      expect(status).toBe(200);
      left.abort();
      for await (const _ of body ?? []);
    }
    const { response, close } = await open();
    expect(response.status).toBe(200);
    await close();
  });

  it('opens nothing for who asks for the headers alone', async () => {
    const { store, ask, open } = made({ maxStreams: { perSubject: 1, total: 1 } });
    await store.saveIntent(onRampIntent());
    for (let times = 0; times < 3; times++) {
      const head = await ask('r1', { method: 'HEAD' });
      expect([head.status, head.headers.get('content-type')]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
      ]);
    }
    const { response, close } = await open();
    expect(response.status).toBe(200);
    await close();
  });

  it('ends them all once its signal is aborted, and begins none', async () => {
    const stop = new AbortController();
    const onError = vi.fn();
    const { store, open } = made({ signal: stop.signal, onError });
    await store.saveIntent(onRampIntent());
    const streams = [await open(), await open()];
    for (const { next } of streams) await next();
    stop.abort();
    for (const { next } of streams) await expect(next()).rejects.toThrow('The stream ended.');
    const { response } = await open();
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(onError).not.toHaveBeenCalled();
  });

  it('reads the log once a second for all who listen, and not at all for nobody', async () => {
    const inner = memoryOrderStore();
    const listEventsAfter = vi.fn(inner.listEventsAfter);
    const store: OrderStore = { ...inner, listEventsAfter };
    const { open } = made({ store, maxStreams: { perSubject: 50, total: 50 } });
    await store.saveIntent(onRampIntent());
    const streams = await Promise.all(Array.from({ length: 30 }, () => open()));
    for (const { next } of streams) await next();
    await new Promise((done) => setTimeout(done, 1500));
    expect(listEventsAfter.mock.calls.length).toBeLessThan(4);
    for (const { close } of streams) await close();
    const { length } = listEventsAfter.mock.calls;
    await new Promise((done) => setTimeout(done, 1500));
    expect(listEventsAfter.mock.calls.length).toBeLessThanOrEqual(length + 1);
  });

  it('reads a checkout that changed once for all who listen', async () => {
    const inner = memoryOrderStore();
    const findCheckout = vi.fn(inner.findCheckout);
    const { open } = made({
      store: { ...inner, findCheckout },
      maxStreams: { perSubject: 50, total: 50 },
    });
    await inner.saveIntent(nftIntent());
    await inner.saveIntent(nftIntent({ reference: 'r2' }));
    const streams = await Promise.all(Array.from({ length: 30 }, () => open()));
    for (const { next } of streams) await next();
    findCheckout.mockClear();
    await inner.recordOrders([nftOrder('finished')], baseTime);
    await inner.recordOrders([nftOrder('settled'), nftOrder('finished', { ext: 'r2' })], baseTime);
    for (const { next } of streams) expect((await next()).data.progress).toBe('settled');
    expect(findCheckout.mock.calls).toEqual([['r1']]);
    for (const { close } of streams) await close();
  });

  it('tells of a change as soon as its checkout can be read again', async () => {
    const inner = memoryOrderStore();
    const findCheckout = vi.fn(inner.findCheckout);
    const onError = vi.fn();
    const { open } = made({ store: { ...inner, findCheckout }, onError });
    await inner.saveIntent(nftIntent());
    const { next, close } = await open();
    await next();
    findCheckout.mockRejectedValueOnce(new Error('down'));
    await inner.recordOrders([nftOrder('finished')], baseTime);
    expect((await next()).data.progress).toBe('finished');
    expect(onError).toHaveBeenCalledOnce();
    await close();
  });

  it('ends a stream whose checkout could not be read at first, so that it is asked for again', async () => {
    const inner = memoryOrderStore();
    const findCheckout = vi.fn(inner.findCheckout);
    const { open } = made({ store: { ...inner, findCheckout }, onError: () => {} });
    await inner.saveIntent(nftIntent());
    findCheckout
      .mockImplementationOnce(inner.findCheckout)
      .mockRejectedValueOnce(new Error('down'));
    const { next } = await open();
    await expect(next()).rejects.toThrow('The stream ended.');
  });

  it('goes on when the log could not be read for a while', async () => {
    const inner = memoryOrderStore();
    const listEventsAfter = vi.fn(inner.listEventsAfter).mockRejectedValueOnce(new Error('down'));
    const onError = vi.fn();
    const store: OrderStore = { ...inner, listEventsAfter };
    const { open } = made({ store, onError });
    await store.saveIntent(nftIntent());
    const { next, close } = await open();
    await next();
    await store.recordOrders([nftOrder('finished')], baseTime);
    expect((await next()).data.progress).toBe('finished');
    expect(onError).toHaveBeenCalledOnce();
    await close();
  });
});
