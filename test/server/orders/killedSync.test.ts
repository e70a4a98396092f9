import { describe } from 'vitest';
import { memoryOrderStore } from '../../../src/server/index.js';
import { testKilledSync } from '../../conformance/testKilledSync.js';
import { crashingStore } from '../../support/database/crashingStore.js';

describe('a killed sync on memoryOrderStore', () => {
  testKilledSync(() => {
    const store = memoryOrderStore();
    return {
      store,
      createCrashingStore: (death) => crashingStore(store, death),
      endLease: async () => {},
    };
  }, true);
});
