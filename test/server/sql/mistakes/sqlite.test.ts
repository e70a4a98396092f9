import { describe } from 'vitest';
import { testMistakes } from './testMistakes.js';

describe('a deliver with a mistake and a store in SQLite', () => {
  testMistakes('sqlite');
});
