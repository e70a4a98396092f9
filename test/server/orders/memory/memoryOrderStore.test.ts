import { describe } from 'vitest';
import { memoryOrderStore } from '../../../../src/server/index.js';
import { testStoreConformance } from '../../../conformance/testStoreConformance.js';
import { testVolumeConformance } from '../../../conformance/testVolumeConformance.js';

describe('memoryOrderStore', () => {
  testStoreConformance(memoryOrderStore);
  testVolumeConformance(memoryOrderStore);
});
