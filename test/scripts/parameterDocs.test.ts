import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { formatParameterDocs } from '../../scripts/docs/parameterDocs.js';

it('the README shows the parameter table as it is (npm run docs)', () => {
  expect(readFileSync('README.md', 'utf8')).toContain(formatParameterDocs());
});
