import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { formatParameterDocs } from '../../scripts/docs/parameterDocs.js';

it('docs/parameters.md contains the current table (npm run docs)', () => {
  expect(readFileSync('docs/parameters.md', 'utf8')).toContain(formatParameterDocs());
});
