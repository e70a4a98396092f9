import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { formatParameterDocs } from '../../scripts/docs/parameterDocs.js';

it('the README has the current parameter table (npm run docs)', () => {
  expect(readFileSync('README.md', 'utf8')).toContain(formatParameterDocs());
});
