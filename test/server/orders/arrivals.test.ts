import { describe } from 'vitest';
import { memoryOrderStore } from '../../../src/server/index.js';
import { arrivalConformance } from './arrival-conformance.js';

describe('memoryOrderStore', () => arrivalConformance(memoryOrderStore));
