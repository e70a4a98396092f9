import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoryOrderStore } from '../../../../src/server/index.js';
import { baseTime, onRampCheckout, onRampOrder } from '../../../support/server/orderFixtures.js';
import { fakeApi } from '../../../support/server/setUpTrackers.js';

const reference = 'Zm9yIGEgdGVzdCBvbmx5_w';

/** Syncs one order with this `ext` in a reloaded package, and returns the warnings on the console. */
async function warnings(ext: string, { mode = 'development', syncs = 1, known = false } = {}) {
  vi.resetModules();
  vi.stubEnv('NODE_ENV', mode);
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => {
    warn.mockRestore();
    vi.unstubAllEnvs();
  });
  const { createOrderTracker } = await import(
    '../../../../src/server/orders/tracker/createOrderTracker.js'
  );
  const { testRuntime } = await import('../../../support/server/testRuntime.js');
  const api = fakeApi();
  api.orders = [onRampOrder({ ext })];
  for (let sync = 0; sync < syncs; sync++) {
    const store = memoryOrderStore();
    if (known) await store.saveCheckout(onRampCheckout({ reference: ext }));
    const options = { api, store, deliver() {}, review() {} };
    await createOrderTracker(options, testRuntime({ now: () => baseTime * 1000 })).sync();
  }
  return warn.mock.calls.map(([text]) => text);
}

describe('createOrderTracker with an order of an unknown reference', () => {
  it('warns once that the processes may have different stores', async () => {
    expect(await warnings(reference, { syncs: 2 })).toEqual([
      '[partner-ramp] An order has the reference of a checkout that is not in the store, so it goes to review. Give every process the same store. A memoryOrderStore() also loses its checkouts when the process restarts.',
    ]);
  });

  it.each<[string, string, Parameters<typeof warnings>[1]]>([
    ['in production', reference, { mode: 'production' }],
    ['about an order of a known checkout', reference, { known: true }],
    ['about an order of another system', 'order-4711', {}],
    ['about an order without a reference', '', {}],
  ])('does not warn %s', async (_, ext, options) => {
    expect(await warnings(ext, options)).toEqual([]);
  });
});
