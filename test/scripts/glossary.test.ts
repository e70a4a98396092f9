import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/root.js';

const rows = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, term, meaning, file] = /^\| ([^|]+) \| (.+) \| `([^`]+)` \|$/.exec(line) ?? [];
    return term && meaning && file ? [{ term, meaning, file }] : [];
  });

/** Terms that engineers search for. A search must lead to the file that implements the term. */
const searched = [
  ...[
    'backoff',
    'jitter',
    'circuit breaker',
    'heartbeat',
    'backpressure',
    'idempotent',
    'duplicate',
  ],
  ...['reconcile', 'mismatch', 'canonical', 'hydration', 'scroll lock', 'retarget', 'validate'],
  ...['polling', 'lease', 'outbox', 'replay', 'clock skew', 'at least once', 'CSRF', 'CORS'],
];

const sources = new Map(
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|css)$/.test(name))
    .map((name) => {
      const file = `src/${name.replaceAll('\\', '/')}`;
      return [file, readFileSync(join(root, file), 'utf8').toLowerCase().split('\n')] as const;
    }),
);

/** Returns the number of lines with a term, as `git grep -ic` does. */
const countLines = (file: string, term: string): number =>
  sources.get(file)?.filter((line) => line.includes(term.toLowerCase())).length ?? 0;

describe('docs/glossary.md', () => {
  it('defines each term once', () => {
    expect(rows.length).toBeGreaterThan(40);
    expect(new Set(rows.map(({ term }) => term)).size).toBe(rows.length);
  });

  it.each(rows)('names a file for $term', ({ file }) => {
    expect(sources.has(file), file).toBe(true);
  });

  it.each(searched)('names the file with the most matches for "%s"', (term) => {
    const row = rows.find((each) => each.term === term || each.meaning.includes(term));
    const most = Math.max(...[...sources.keys()].map((file) => countLines(file, term)));
    expect(countLines(row?.file ?? '', term), row?.file).toBe(most);
    expect(most).toBeGreaterThan(0);
  });
});
