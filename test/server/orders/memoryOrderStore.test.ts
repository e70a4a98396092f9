import { describe } from 'vitest';
import { memoryOrderStore } from '../../../src/server/index.js';
import { storeConformance } from './store-conformance.js';
import { volumeConformance } from './volume-conformance.js';

describe('memoryOrderStore', () => {
  storeConformance(memoryOrderStore);
  volumeConformance(memoryOrderStore);
});
