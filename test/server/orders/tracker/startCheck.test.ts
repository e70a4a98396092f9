import { describe, expect, it } from 'vitest';
import { memoryOrderStore } from '../../../../src/server/index.js';
import { createOrderTracker } from '../../../../src/server/orders/tracker/createOrderTracker.js';
import { baseTime } from '../../../support/server/orderFixtures.js';
import { fakeApi } from '../../../support/server/setUpTrackers.js';
import { testRuntime } from '../../../support/server/testRuntime.js';

const HOUR = 3600;

/** Creates a tracker that is not started, as in a web process. `grant` signs a checkout after some time. */
function openWebProcess({ isServerless = false } = {}) {
  const clock = { seconds: baseTime };
  const runtime = testRuntime({
    now: () => clock.seconds * 1000,
    monotonic: () => clock.seconds * 1000,
  });
  const store = memoryOrderStore();
  const errors: unknown[] = [];
  const api = fakeApi();
  const options = { api, store, deliver() {}, review() {} };
  const onError = (error: unknown) => void errors.push(error);
  const tracker = createOrderTracker({ ...options, isServerless, onError }, runtime);
  const worker = createOrderTracker(options, runtime);
  const grant = async (afterSeconds: number) => {
    clock.seconds += afterSeconds;
    tracker.checkoutGranted();
    await new Promise((done) => setImmediate(done));
    return errors.length;
  };
  return { tracker, worker, grant, errors, api };
}

describe('a process that signs checkouts and was not started', () => {
  it('reports within minutes that nobody has ever synced, and only once', async () => {
    const { grant, errors } = openWebProcess();
    expect(await grant(500)).toBe(0);
    expect(await grant(200)).toBe(1);
    expect(await grant(HOUR)).toBe(1);
    expect(`${errors[0]}`).toContain('no process has called ramp.start()');
  });

  it('reports nothing while another process syncs at least once a day', async () => {
    const { grant, worker } = openWebProcess();
    for (let day = 0; day < 5; day++) {
      await worker.sync();
      expect(await grant(25 * HOUR)).toBe(0);
    }
  });

  it('reports nothing while another process reads the newest orders and cannot read an old day', async () => {
    const { grant, worker, api } = openWebProcess();
    const { eachOrder } = api;
    api.eachOrder = (range) => {
      if (range.startTime < baseTime - 24 * HOUR) throw new Error('503');
      return eachOrder(range);
    };
    await expect(worker.sync()).rejects.toThrow('503');
    expect(await grant(700)).toBe(0);
  });

  it('reports that the other process has stopped', async () => {
    const { grant, worker } = openWebProcess();
    await worker.sync();
    expect(await grant(HOUR)).toBe(0);
    expect(await grant(27 * HOUR)).toBe(1);
  });

  it('does not take its own syncs for webhooks for those of another process', async () => {
    const { grant, tracker } = openWebProcess();
    await tracker.requestSync();
    for (let hours = 0; hours < 26; hours++) expect(await grant(HOUR)).toBe(0);
    await tracker.requestSync();
    expect(await grant(HOUR)).toBe(1);
  });

  it('is right in functions, where a scheduled job requests the syncs', async () => {
    const { grant } = openWebProcess({ isServerless: true });
    expect(await grant(48 * HOUR)).toBe(0);
  });
});
