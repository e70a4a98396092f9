import { describe } from 'vitest';
import { testMistakes } from './testMistakes.js';

describe('an onOrderChange with a mistake and a store in PostgreSQL', () => {
  testMistakes('postgres');
});
