import { describe } from 'vitest';
import { memoryOrderStore } from '../../../../src/server/index.js';
import { testStoreConformance } from '../../../support/server/testStoreConformance.js';
import { testVolumeConformance } from '../../../support/server/testVolumeConformance.js';

describe('memoryOrderStore', () => {
  testStoreConformance(memoryOrderStore);
  testVolumeConformance(memoryOrderStore);
});
