import { describe } from 'vitest';
import { memoryOrderStore } from '../../../src/server/index.js';
import { mortalOver } from '../../support/mortal.js';
import { killedSweepConformance } from './killed-sweep-conformance.js';

describe('a sweep over memoryOrderStore that is killed', () => {
  killedSweepConformance(() => {
    const store = memoryOrderStore();
    return { store, mortal: (death) => mortalOver(store, death), endLease: async () => {} };
  }, true);
});
