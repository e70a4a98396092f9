import { describe, expect, it } from 'vitest';
import { createOrderTracker, memoryOrderStore } from '../../../src/server/index.js';
import { createTestHandler } from '../../support/server/createTestHandler.js';
import { fakeApi } from '../../support/server/setUpTrackers.js';

const trackerOf = (store = memoryOrderStore()) => createOrderTracker({ api: fakeApi(), store });

describe('createRampHandler with a store and a tracker', () => {
  it('refuses a memory store other than the memory store of the tracker', () => {
    const make = () => createTestHandler({ tracker: trackerOf(), store: memoryOrderStore() });
    expect(make).toThrow(/different memory stores.*Create the store once/);
  });

  it('accepts the store of the tracker', () => {
    const store = memoryOrderStore();
    expect(() => createTestHandler({ tracker: trackerOf(store), store })).not.toThrow();
  });

  it('accepts a wrapper of the store of the tracker', () => {
    const store = memoryOrderStore();
    expect(() =>
      createTestHandler({ tracker: trackerOf(store), store: { ...store } }),
    ).not.toThrow();
    expect(() => createTestHandler({ tracker: trackerOf({ ...store }), store })).not.toThrow();
  });

  it('accepts a tracker that createOrderTracker did not create', () => {
    const tracker = { requestSync: async () => {}, checkoutGranted: () => {} };
    expect(() => createTestHandler({ tracker, store: memoryOrderStore() })).not.toThrow();
  });
});
