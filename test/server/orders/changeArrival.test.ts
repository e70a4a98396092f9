import { describe } from 'vitest';
import { memoryOrderStore } from '../../../src/server/index.js';
import { testChangeArrival } from '../../conformance/testChangeArrival.js';

describe('memoryOrderStore', () => testChangeArrival(memoryOrderStore));
