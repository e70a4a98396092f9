import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import rows from './rows.json' with { type: 'json' };

describe('The controls that `npm run controls` removes', () => {
  it.each(rows)('have quoted code that exists once: $row, $control', ({ file, from, tests }) => {
    expect(readFileSync(file, 'utf8').split(from)).toHaveLength(2);
    expect(tests.length).toBeGreaterThan(0);
  });
});
