import { describe, expect, it, vi } from 'vitest';
import { memoryOrderStore } from '../../../src/server/index.js';
import { at, nftOrder, onRampIntent, onRampOrder } from '../../support/orders.js';
import { startedTrackers } from '../../support/tracker.js';

const { shared, make, started, pass } = startedTrackers();
const DAY = 86_400;

/** When the syncs so far began, in seconds since the start. */
const times = () => shared.api.asked.map(({ endTime }) => endTime - at);

describe('createOrderTracker plans the next sync', () => {
  it('hourly while an NFT is not settled, though no checkout is open', async () => {
    const { tracker } = started();
    shared.api.orders = [nftOrder('finished', { ext: undefined, finishTime: at - 5 * DAY })];
    await pass(3 * 3600 + 1);
    expect(times()).toEqual([0, 3600, 7200, 10_800]);
    await tracker.stop();
  });

  it('after maxPollSeconds while a change is postponed for longer than that', async () => {
    const store = memoryOrderStore();
    await store.recordOrders([onRampOrder()], at);
    const changes = await store.pendingChanges(at, 1);
    const pendingChanges = async (now: number) => (now < at + 3000 ? [] : changes);
    const { tracker } = started({ store: { ...store, pendingChanges } });
    await pass(1300);
    expect(times()).toEqual([0, 600, 1200]);
    await tracker.stop();
  });

  it('a day after the last one that read the whole lookback, whatever came between', async () => {
    const { tracker } = started();
    await pass(DAY / 2);
    tracker.nudge();
    await pass(DAY / 2 + 1);
    expect(times()).toEqual([0, DAY / 2, DAY]);
    await tracker.stop();
  });

  it('as before when a caller runs a sync in between', async () => {
    const { tracker } = started();
    await pass(10);
    await tracker.sweep();
    await pass(600);
    expect(times()).toEqual([0, 10]);
    await tracker.stop();
  });

  it('once though it is started twice', async () => {
    const { tracker } = started();
    await pass(10);
    tracker.start();
    await pass(600);
    expect(times()).toEqual([0]);
    await tracker.stop();
  });

  it('for no nudge after it is stopped', async () => {
    const { tracker } = make({ now: Date.now });
    await pass(10);
    tracker.start();
    await pass(10);
    await tracker.stop();
    tracker.nudge('r1');
    await pass(10);
    expect(times()).toEqual([10]);
  });

  it('daily after a nudge without a reference', async () => {
    const store = memoryOrderStore();
    const markCheckout = vi.fn(store.markCheckout);
    const { tracker } = started({ store: { ...store, markCheckout } });
    tracker.nudge();
    await pass(3600);
    expect(times()).toEqual([0]);
    expect(markCheckout).not.toHaveBeenCalled();
    await tracker.stop();
  });

  it('daily as soon as an announced order is found', async () => {
    const { tracker, store } = started();
    await store.saveIntent(onRampIntent());
    await pass(10);
    shared.api.orders = [onRampOrder({ finishTime: at })];
    tracker.nudge('r1');
    await pass(3600);
    expect(times()).toEqual([0, 10]);
    await tracker.stop();
  });

  it('a second after the last one when a nudge follows it closely', async () => {
    const { tracker } = started();
    await pass(10);
    tracker.nudge();
    await pass(0.2);
    expect(times()).toEqual([0, 10]);
    tracker.nudge();
    await pass(0.7);
    expect(times()).toEqual([0, 10]);
    await pass(0.2);
    expect(times()).toEqual([0, 10, 11]);
    await tracker.stop();
  });

  it('no sooner for a checkout when it is due within a second', async () => {
    const { tracker, store } = started();
    await store.saveIntent(onRampIntent());
    await pass(59.5);
    tracker.expect();
    await pass(0.3);
    expect(times()).toEqual([0]);
    await pass(0.3);
    expect(times()).toEqual([0, 60]);
    await tracker.stop();
  });

  it('once a minute while another instance syncs, after a nudge was followed by a sync', async () => {
    const store = memoryOrderStore();
    let isBusy = false;
    const runAlone = vi.fn<typeof store.runAlone>((sync) =>
      isBusy ? Promise.resolve(false) : store.runAlone(sync),
    );
    const { tracker } = started({ store: { ...store, runAlone } });
    await store.saveIntent(onRampIntent());
    await pass(10);
    tracker.nudge();
    await pass(1);
    isBusy = true;
    runAlone.mockClear();
    await pass(300);
    expect(runAlone.mock.calls.length).toBeLessThanOrEqual(6);
    await tracker.stop();
  });
});

describe('the timer of createOrderTracker', () => {
  it('is set once for nudges that come at once', async () => {
    const { tracker } = started();
    await pass(10);
    const set = vi.spyOn(globalThis, 'setTimeout');
    for (let i = 0; i < 100; i++) tracker.nudge();
    expect(set).toHaveBeenCalledOnce();
    set.mockRestore();
    await tracker.stop();
  });

  it('is left alone by a new checkout unless it is more than a second late', async () => {
    const { tracker } = started();
    const dueAt = performance.now() + DAY * 1000;
    await pass(1);
    const clock = vi.spyOn(performance, 'now').mockReturnValue(dueAt + 1000);
    tracker.expect();
    await pass(1);
    expect(times()).toEqual([0]);
    clock.mockReturnValue(dueAt + 1001);
    tracker.expect();
    await pass(1);
    expect(times()).toEqual([0, 2]);
    clock.mockRestore();
    await tracker.stop();
  });
});

describe('createOrderTracker reports', () => {
  it('within ten polls that no sync runs, however long deliveries may take', async () => {
    const runAlone = () => new Promise<never>(() => {});
    const { tracker, errors } = started({
      store: { ...memoryOrderStore(), runAlone },
      pollSeconds: 1,
    });
    await pass(11);
    expect(errors).toMatchObject([{ code: 'ERR_TIMEOUT' }]);
    void tracker.stop();
  });

  it('the same after a sync that delivered its changes', async () => {
    const store = memoryOrderStore();
    const runAlone = vi.fn<typeof store.runAlone>(() => new Promise<never>(() => {}));
    runAlone.mockImplementationOnce(store.runAlone);
    shared.api.orders = [onRampOrder()];
    const { tracker, errors, delivered } = started({
      store: { ...store, runAlone },
      pollSeconds: 1,
      maxPollSeconds: 1,
    });
    await store.saveIntent(onRampIntent({ reference: 'open' }));
    await pass(14);
    expect(delivered).toHaveLength(1);
    expect(errors).toMatchObject([{ code: 'ERR_TIMEOUT' }]);
    void tracker.stop();
  });
});
