import { describe, expect, it } from 'vitest';
import {
  createReference,
  isCreatedReference,
  isReference,
} from '../../../src/server/internal/reference.js';
import { processRuntime } from '../../../src/server/internal/runtime.js';

describe('createReference', () => {
  it('creates unique references that pass all checks', () => {
    const created = Array.from({ length: 1000 }, () => createReference(processRuntime));
    expect(new Set(created).size).toBe(1000);
    for (const reference of created) {
      expect(reference).toMatch(/^[A-Za-z0-9_-]{22}$/);
      expect([isReference(reference), isCreatedReference(reference)]).toEqual([true, true]);
    }
  });
});

describe('isReference', () => {
  it.each([
    ['r1', true],
    ['a.b_c-D', true],
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
    ['', false],
    ['a b', false],
    ['a/b', false],
    [`${'a'.repeat(22)}\n`, false],
    [5, false],
    [undefined, false],
  ])('returns the result for %o: %s', (value, expected) => {
    expect(isReference(value)).toBe(expected);
  });
});

describe('isCreatedReference', () => {
  it.each([
    ['a'.repeat(22), true],
    ['a'.repeat(21), false],
    ['a'.repeat(23), false],
    [`${'a'.repeat(21)}.`, false],
  ])('returns the result for %s: %s', (text, expected) => {
    expect(isCreatedReference(text)).toBe(expected);
  });
});
