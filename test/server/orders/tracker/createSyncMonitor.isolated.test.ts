import { describe, expect, it, vi } from 'vitest';
import { memoryOrderStore, type OrderStore } from '../../../../src/server/index.js';
import { baseTime, onRampOrder } from '../../../support/server/orderFixtures.js';
import { setUpStartedTrackers } from '../../../support/server/setUpTrackers.js';

const { shared, started, pass } = setUpStartedTrackers();

/** Creates a store whose lease another instance holds while `lease.isHeld` is true. */
function leasedStore() {
  const inner = memoryOrderStore();
  const lease = { isHeld: true };
  const store: OrderStore = {
    ...inner,
    withSyncLease: (sync) => (lease.isHeld ? Promise.resolve(false) : inner.withSyncLease(sync)),
  };
  return { inner, lease, store };
}

const never = () => new Promise<never>(() => {});
const report = { code: 'ERR_TIMEOUT', message: expect.stringContaining('for 600 seconds') };

describe('createSyncMonitor', () => {
  it('reports once that no sync runs, and reports it again after another sync', async () => {
    const { lease, store } = leasedStore();
    const { tracker, errors } = started({ store });
    await pass(599);
    expect(errors).toEqual([]);
    await pass(2);
    expect(errors).toMatchObject([report]);
    await pass(7200);
    expect(errors).toHaveLength(1);
    lease.isHeld = false;
    await pass(60);
    expect(shared.api.ranges).toHaveLength(1);
    lease.isHeld = true;
    // No checkout is open, so the next sync is due in a day. The monitor does not report before that.
    await pass(86_400);
    expect(errors).toHaveLength(1);
    await pass(660);
    expect(errors).toMatchObject([report, report]);
    await tracker.stop();
  });

  it('does not report while another instance runs all syncs', async () => {
    const { inner, store } = leasedStore();
    const { tracker, errors } = started({ store });
    for (let i = 1; i <= 30; i++) {
      await pass(300);
      await inner.writeWatermark(baseTime + 300 * i);
    }
    expect(errors).toEqual([]);
    await tracker.stop();
  });

  it('does not report while another instance records orders in a long sync', async () => {
    const { inner, store } = leasedStore();
    const { tracker, errors } = started({ store });
    for (let i = 1; i <= 10; i++) {
      await pass(300);
      await inner.recordOrders([onRampOrder({ orderId: `o${i}` })], baseTime + 300 * i);
    }
    expect(errors).toEqual([]);
    await pass(661);
    expect(errors).toMatchObject([report]);
    await tracker.stop();
  });

  it('does not report during a long sync of this instance without new orders', async () => {
    const { tracker, errors } = started({
      api: {
        async *eachOrder() {
          for (let i = 0; i < 1000; i++) {
            await new Promise((done) => setTimeout(done, 5000));
            yield onRampOrder({ finishTime: baseTime });
          }
        },
      },
    });
    await pass(4800);
    expect(tracker.report).toMatchObject({ listed: 900 });
    expect(errors).toEqual([]);
    const stopped = tracker.stop();
    await pass(500);
    await stopped;
  });

  it.each<readonly [string, Partial<OrderStore>]>([
    ['never returns the lease', { withSyncLease: never }],
    ['does not respond at all', { withSyncLease: never, readWatermark: never, lastEventId: never }],
    ['does not read its watermark', { readWatermark: never }],
    ['does not read pending changes', { listPendingChanges: never }],
  ])('reports a store that %s', async (_, broken) => {
    const { tracker, errors } = started({ store: { ...memoryOrderStore(), ...broken } });
    await pass(7200);
    expect(errors).toMatchObject([{ code: 'ERR_TIMEOUT' }]);
    void tracker.stop();
  });

  it('does not report during long deliveries with short polls', async () => {
    shared.api.orders = [onRampOrder(), onRampOrder({ orderId: 'o2' })];
    const { tracker, errors } = started({ pollSeconds: 1, deliver: never, review: never });
    await pass(300);
    // Every error is about a delivery that timed out, and none about a missing sync.
    expect(errors.length).toBeGreaterThan(1);
    for (const error of errors)
      expect(error).toMatchObject({
        message: expect.stringMatching(/deliver or review did not|is still being delivered/),
      });
    const stopped = tracker.stop();
    await pass(60);
    await stopped;
  });

  it('does not blame the store, with short polls, while the service does not respond', async () => {
    const { tracker, errors } = started({
      pollSeconds: 1,
      api: {
        async *eachOrder() {
          // A page takes this long if each of its attempts times out.
          await new Promise((done) => setTimeout(done, 50_000));
          throw new Error('the service does not respond');
        },
      },
    });
    await pass(300);
    expect(errors.length).toBeGreaterThan(1);
    for (const error of errors)
      expect(error).toMatchObject({ message: 'the service does not respond' });
    const stopped = tracker.stop();
    await pass(60);
    await stopped;
  });

  it('does not report a failed sync twice', async () => {
    shared.api.orders = [onRampOrder()];
    shared.api.failAfter = 0;
    const { tracker, errors } = started();
    await pass(3600);
    for (const error of errors) expect(error).toMatchObject({ message: 'the service is down' });
    await tracker.stop();
  });

  it('does not report because the clock was changed', async () => {
    const { inner, lease, store } = leasedStore();
    const { tracker, errors } = started({ store });
    await pass(60);
    vi.setSystemTime((baseTime + 365 * 86_400) * 1000);
    await pass(120);
    vi.setSystemTime(baseTime * 1000);
    await pass(120);
    lease.isHeld = false;
    await pass(61);
    expect(await inner.readWatermark()).toBeDefined();
    expect(errors).toEqual([]);
    await tracker.stop();
  });

  it('does not report after the tracker was stopped', async () => {
    const { store } = leasedStore();
    const { tracker, errors } = started({ store });
    await pass(300);
    await tracker.stop();
    await pass(7200);
    expect(errors).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
