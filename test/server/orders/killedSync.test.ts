import { describe } from 'vitest';
import { memoryOrderStore } from '../../../src/server/index.js';
import { testKilledSync } from '../../conformance/testKilledSync.js';
import { crashingStore } from '../../support/database/crashingStore.js';

describe('a killed sync on memoryOrderStore', () => {
  testKilledSync(
    () => {
      const store = memoryOrderStore();
      return {
        store,
        createCrashingStore: (death) => crashingStore(store, death),
        endLease: async () => {},
      };
    },
    // More orders than two batches, so that a sync records three batches.
    { count: 205, delivers: true, minSteps: 400 },
  );
});
