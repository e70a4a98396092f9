import { describe, expect, it } from 'vitest';
import { selectGroups } from '../mutation/groups.mjs';
import { formatScores, type MutantResult, scoreFile } from '../mutation/scores.mjs';

const source = 'const a = 1;\nconst b = a +\n  2;\n';
const mutant = (status: string, replacement: string, line = 1): MutantResult => ({
  status,
  replacement,
  location: { start: { line, column: 11 }, end: { line, column: 12 } },
});
const killed = Array.from({ length: 38 }, () => mutant('Killed', '0'));
const group = { name: 'g', threshold: 90 };
const entry = (replacement: string) => ({ file: 'a.ts', original: '1', replacement, reason: '-' });
const score = (mutants: readonly MutantResult[], equivalents = [] as ReturnType<typeof entry>[]) =>
  scoreFile('a.ts', { source, mutants }, group, equivalents);

describe('scoreFile', () => {
  it('counts killed and timed-out mutants as detected, and ignores mutants that did not run', () => {
    const others = [mutant('Timeout', '0'), mutant('Survived', '2'), mutant('NoCoverage', '3')];
    const row = score([...killed, ...others, mutant('RuntimeError', '4')]);
    expect(row).toMatchObject({ killed: 38, timeout: 1, survived: 1, noCoverage: 1, total: 41 });
    expect(row.score).toBeCloseTo((100 * 39) / 41);
    expect(row.problems).toEqual([]);
    expect(formatScores([row]).text).toContain('Survived a.ts:1 "1" -> "2"');
  });

  it('fails below the threshold of its group', () => {
    const row = score([mutant('Killed', '0'), mutant('Survived', '2')]);
    expect(row.problems).toEqual([
      expect.stringMatching(/^a\.ts: 50\.0 % of the mutants were detected, not 90 %/),
    ]);
    expect(formatScores([row]).problems).toEqual(row.problems);
  });

  it('ignores a declared equivalent, and fails if it does not survive', () => {
    const survivor = mutant('Survived', '2');
    const row = score([...killed, survivor], [entry('2')]);
    expect(row).toMatchObject({ total: 38, equivalent: 1, score: 100, problems: [] });
    expect(score(killed, [entry('2')]).problems).toEqual([
      expect.stringMatching(/did not survive/),
    ]);
    expect(score([...killed, mutant('Survived', '3')], [entry('2')]).survivors).toHaveLength(1);
  });

  it('accepts at most 3 % of the mutants of a file as equivalent', () => {
    const survivors = [mutant('Survived', '2'), mutant('Survived', '3')];
    expect(score([...killed, ...survivors], [entry('2'), entry('3')]).problems).toEqual([
      'a.ts: 2 of 40 mutants are declared equivalent.',
    ]);
  });

  it('compares the code of a mutant that spans several lines', () => {
    const location = { start: { line: 2, column: 11 }, end: { line: 3, column: 4 } };
    const { survivors } = score([{ status: 'Survived', replacement: 'a - 2', location }]);
    expect(survivors[0]?.original).toBe('a +\n  2');
  });
});

describe('selectGroups', () => {
  it('returns the group of each given file', () => {
    const signer = 'src/server/signing/createWidgetSigner.ts';
    expect(selectGroups([signer])).toMatchObject([{ name: 'signer', files: [signer] }]);
    const [verifier] = selectGroups(['verifier']);
    expect(verifier?.files).toContain('src/server/webhooks/webhookItems.ts');
  });

  it('assigns each file of the protocol and the server to one group', () => {
    const files = selectGroups([]).flatMap((each) => each.files);
    expect(new Set(files).size).toBe(files.length);
    for (const file of [
      'protocol/widget/valueFormats',
      'server/sql/store/purge',
      'server/orders/store/OrderStore',
    ])
      expect(files).toContain(`src/${file}.ts`);
  });

  it('throws if a name is neither a group nor a file', () => {
    expect(() => selectGroups(['src/none.ts'])).toThrow('No group and no file: src/none.ts.');
  });
});
