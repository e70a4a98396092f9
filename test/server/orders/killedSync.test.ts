import { describe } from 'vitest';
import { memoryOrderStore } from '../../../src/server/index.js';
import { crashingStore } from '../../support/database/crashingStore.js';
import { testKilledSync } from '../../support/server/testKilledSync.js';

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
