import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  getErrorDocsUrl,
  RampError,
  type RampErrorCode,
} from '../../src/protocol/errors/RampError.js';
import { toErrorResponse } from '../../src/server/internal/errorResponses.js';

/** The members of the union RampErrorCode, read from its source because types do not exist at run time. */
const codes = [
  ...readFileSync('src/protocol/errors/RampError.ts', 'utf8').matchAll(/^ {2}\| '(ERR_\w+)'/gm),
].map(([, code = '']) => code);
/** The rows of the table of error responses, such as `| 403 | \`ERR_POLICY_REFUSED\` | …`. */
const responses = [
  ...readFileSync('docs/http.md', 'utf8').matchAll(/^\| ([\d, ]+) \| `(ERR_\w+)` \|/gm),
].map(([, statuses = '', code = '']) => ({ statuses: statuses.split(', ').map(Number), code }));
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
    expect(text).toMatch(/^\*\*Where:\*\* /m);
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

describe('docs/http.md', () => {
  it.each(codes)('names the status of %s, if the handler responds with it', (code) => {
    const { status, body } = toErrorResponse(new RampError(code as RampErrorCode, 'Something.'));
    const isResponse = body.error.code === code;
    const row = responses.find((response) => response.code === code);
    if (isResponse) expect(row?.statuses).toContain(status);
    else expect(row).toBeUndefined();
  });
});
