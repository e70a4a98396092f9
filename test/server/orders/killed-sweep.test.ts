import { describe } from 'vitest';
import { memoryOrderStore } from '../../../src/server/index.js';
import { crashingStore } from '../../support/mortal.js';
import { testKilledSync } from './killed-sweep-conformance.js';

describe('a sync over memoryOrderStore that is killed', () => {
  testKilledSync(() => {
    const store = memoryOrderStore();
    return {
      store,
      createCrashingStore: (death) => crashingStore(store, death),
      endLease: async () => {},
    };
  }, true);
});
