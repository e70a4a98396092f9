import { describe } from 'vitest';
import { testMistakes } from './testMistakes.js';

describe('a deliver with a mistake and a store in memory, with the tables of the shop in SQLite', () => {
  testMistakes('sqlite', { isInMemory: true });
});
