import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoryOrderStore } from '../../../src/server/index.js';
import { createEventStreams } from '../../support/server/createEventStreams.js';
import { origin } from '../../support/server/createTestHandler.js';
import { baseTime, nftIntent, nftOrder, onRampIntent } from '../../support/server/orderFixtures.js';

describe('GET /checkouts/:reference/events', () => {
  it('emits the state, and again after each change, until it is closed', async () => {
    const { store, open } = createEventStreams();
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

  it('emits changes that another instance wrote, but only of its checkout', async () => {
    const store = memoryOrderStore();
    const [one, other] = [createEventStreams({ store }), createEventStreams({ store })];
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

  it('emits no event to an up-to-date client until the next change', async () => {
    const { store, open } = createEventStreams();
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

  it('sends a heartbeat every 15 seconds, because proxies close idle connections', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { store, open } = createEventStreams();
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

  it('returns 404 to other subjects', async () => {
    const { store, open } = createEventStreams();
    await store.saveIntent(onRampIntent());
    const responses = await Promise.all(
      [{ 'x-user': 'u2' }, { 'x-user': '' }].map(
        async (headers) => (await open('r1', headers)).response,
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual([404, 404]);
    expect((await open('r9')).response.status).toBe(404);
  });
});
