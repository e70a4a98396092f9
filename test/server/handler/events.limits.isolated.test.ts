import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoryOrderStore } from '../../../src/server/index.js';
import { createEventStreams } from '../../support/server/createEventStreams.js';
import { onRampIntent } from '../../support/server/orderFixtures.js';

describe('createEventRoutes: limits and the end of streams', () => {
  it('closes the stream of a client that never reads, and frees its place', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { store, ask } = createEventStreams({ maxStreams: { perSubject: 1, total: 9 } });
    await store.saveIntent(onRampIntent());
    const slow = await ask();
    await vi.advanceTimersByTimeAsync(60 * 15_000);
    const refused = await ask();
    expect(refused.status).toBe(429);
    await vi.advanceTimersByTimeAsync(20 * 15_000);
    const next = await ask();
    expect(next.status).toBe(200);
    await next.body?.cancel();
    // The handler ended the first stream when more than 64 chunks were waiting for its client. Those chunks still
    // arrive, and then the stream ends.
    let chunks = 0;
    for await (const _ of slow.body ?? []) chunks++;
    expect(chunks).toBe(66);
  });

  it('limits the streams per subject and in total, and frees the place of a closed one', async () => {
    const { store, open } = createEventStreams({ maxStreams: { perSubject: 2, total: 3 } });
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

  it('limits the streams per checkout with getSubject anyone, because all guests may be one subject', async () => {
    const { store, open } = createEventStreams({
      getSubject: 'anyone',
      maxStreams: { perSubject: 1, total: 9 },
    });
    await store.saveIntent(onRampIntent({ subject: 'guest' }));
    await store.saveIntent(onRampIntent({ reference: 'r2', subject: 'guest' }));
    const streams = [await open('r1'), await open('r2'), await open('r2')];
    expect(streams.map(({ response }) => response.status)).toEqual([200, 200, 429]);
    for (const { close } of streams) await close();
  });

  it('closes a stream whose request is aborted, even before it is read', async () => {
    const { store, ask, open } = createEventStreams({ maxStreams: { perSubject: 1, total: 1 } });
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

  it('does not open a stream for a HEAD request', async () => {
    const { store, ask, open } = createEventStreams({ maxStreams: { perSubject: 1, total: 1 } });
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

  it('ends all streams when its signal is aborted, and refuses new ones', async () => {
    const stop = new AbortController();
    const onError = vi.fn();
    const { store, open } = createEventStreams({ signal: stop.signal, onError });
    await store.saveIntent(onRampIntent());
    const streams = [await open(), await open()];
    for (const { next } of streams) await next();
    stop.abort();
    for (const { next } of streams) await expect(next()).rejects.toThrow('The stream ended.');
    const { response } = await open();
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(onError).not.toHaveBeenCalled();
  });

  it('opens at most 50 streams at a time; a stream that waits for 5 seconds gets 503', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const inner = memoryOrderStore();
    await inner.saveIntent(onRampIntent({ openedAt: 1 } as never));
    const answers: (() => void)[] = [];
    const findCheckout = vi.fn(async (reference: string) => {
      await new Promise<void>((resolve) => answers.push(resolve));
      return inner.findCheckout(reference);
    });
    const onError = vi.fn();
    const { ask } = createEventStreams({
      store: { ...inner, findCheckout },
      maxStreams: { perSubject: 100, total: 100 },
      onError,
    });
    const requests = Array.from({ length: 60 }, () => ask());
    await vi.waitFor(() => expect(findCheckout).toHaveBeenCalledTimes(50), 10_000);
    // A stream reads its checkout twice before it is open. Let the first reads of the 50 streams succeed, and hold the
    // second reads, so that the other ten requests still wait for a place.
    for (const answer of answers.splice(0)) answer();
    await vi.waitFor(() => expect(answers).toHaveLength(50), 10_000);
    expect(findCheckout).toHaveBeenCalledTimes(100);
    await vi.advanceTimersByTimeAsync(5000);
    const late = await Promise.all(requests.slice(50));
    for (const response of late) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
      expect((await response.json()).error.code).toBe('ERR_REQUEST');
    }
    for (const answer of answers.splice(0)) answer();
    for (const response of await Promise.all(requests.slice(0, 50))) {
      expect(response.status).toBe(200);
      await response.body?.cancel();
    }
    expect(onError).not.toHaveBeenCalled();
  });

  it('responds with 503 if the state cannot be read, and frees the place of the stream', async () => {
    const inner = memoryOrderStore();
    await inner.saveIntent(onRampIntent());
    const lastEventId = vi.fn(inner.lastEventId);
    const onError = vi.fn();
    const { ask } = createEventStreams({
      store: { ...inner, lastEventId },
      maxStreams: { perSubject: 1, total: 1 },
      onError,
    });
    lastEventId.mockRejectedValueOnce(new Error('down'));
    const refused = await ask();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(onError.mock.calls).toEqual([[new Error('down')]]);
    const next = await ask();
    expect(next.status).toBe(200);
    await next.body?.cancel();
  });

  it('responds with 404 in workerd, which never releases a stream', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' });
    onTestFinished(() => void vi.unstubAllGlobals());
    const { store, ask } = createEventStreams();
    await store.saveIntent(onRampIntent());
    for (let i = 0; i < 8; i++) {
      const response = await ask();
      expect(response.status).toBe(404);
      expect((await response.json()).error.message).toContain('Poll the checkout with GET');
    }
  });
});
