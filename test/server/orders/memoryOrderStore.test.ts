import { describe } from 'vitest';
import { memoryOrderStore } from '../../../src/server/index.js';
import { storeConformance } from './store-conformance.js';

describe('memoryOrderStore', () => storeConformance(memoryOrderStore));
