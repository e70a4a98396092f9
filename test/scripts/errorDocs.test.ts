import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { getErrorDocsUrl } from '../../src/protocol/errors/RampError.js';

/** The members of the union RampErrorCode, read from its source because types do not exist at run time. */
const codes = [
  ...readFileSync('src/protocol/errors/RampError.ts', 'utf8').matchAll(/^ {2}\| '(ERR_\w+)'/gm),
].map(([, code = '']) => code);
const page = readFileSync('docs/errors.md', 'utf8');
const sections = [...page.matchAll(/^## (.*)\n([\s\S]*?)(?=^## |$(?![\s\S]))/gm)].map(
  ([, heading = '', text = '']) => ({ heading, text }),
);
const described = sections.filter(({ heading }) => heading.startsWith('ERR_'));

describe('docs/errors.md', () => {
  it('has one section for each code, in the order of RampErrorCode', () => {
    expect(codes.length).toBeGreaterThan(10);
    expect(described.map(({ heading }) => heading)).toEqual(codes);
  });

  it.each(described)('states where $heading occurs, its causes and the fix', ({ text }) => {
    expect(text).toMatch(/^\*\*Where:\*\*(?: |\n\n- )/m);
    expect(text).toMatch(/^\| cause \| fix \|$/m);
  });

  it('names no unknown code', () => {
    const named = new Set([...page.matchAll(/\bERR_[A-Z_]+\b/g)].map(([code]) => code));
    expect([...named].filter((code) => !codes.includes(code))).toEqual([]);
  });

  it('has an anchor for the URL of each code', () => {
    for (const code of codes) {
      const [file, anchor] = getErrorDocsUrl(code).split('#');
      expect(file).toMatch(/\/docs\/errors\.md$/);
      // GitHub gives a heading that consists of letters and underscores an anchor in lower case.
      expect(anchor).toBe(code.toLowerCase());
    }
  });
});
