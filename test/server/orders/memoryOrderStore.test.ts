import { describe } from 'vitest';
import { memoryOrderStore } from '../../../src/server/index.js';
import { testStoreConformance } from './store-conformance.js';
import { testVolumeConformance } from './volume-conformance.js';

describe('memoryOrderStore', () => {
  testStoreConformance(memoryOrderStore);
  testVolumeConformance(memoryOrderStore);
});
