import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { generators } from '../../scripts/docs/documents.js';

describe('the generated documents', () => {
  it.each(Object.entries(generators))('are up to date (npm run docs): %s', (_, generate) => {
    const files = Object.entries(generate());
    expect(files.length).toBeGreaterThan(0);
    // Compares only the paths, because a diff of all stale texts would be too long to find the paths in.
    const stale = files.filter(([path, text]) => readFileSync(path, 'utf8') !== text);
    expect(stale.map(([path]) => path)).toEqual([]);
  });
});
