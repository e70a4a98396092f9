import { describe } from 'vitest';
import { memoryOrderStore } from '../../../src/server/index.js';
import { testChangeArrival } from './arrival-conformance.js';

describe('memoryOrderStore', () => testChangeArrival(memoryOrderStore));
