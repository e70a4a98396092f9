import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { backendMistakes } from './backendMistakes.js';
import { languages } from './languages.js';
import { runConformance } from './runConformance.js';

const RUN_MS = 240_000;

for (const { language, reason, title } of languages) {
  describe.skipIf(reason)(`partner-ramp conformance with the example in ${title}`, () => {
    const temp = mkdtempSync(join(tmpdir(), 'ramp-mistakes-'));
    afterAll(() => rmSync(temp, { recursive: true, force: true }));

    test.each([
      ['as documented', []],
      ['with the deviations of real services', ['--quirks']],
    ])(
      'passes every case but those of optional routes and NFTs: a service %s',
      async (_, options) => {
        const { output, code } = await runConformance(language, language.example, options);
        const skipped = output.split('\n').filter((line) => line.startsWith('skip  '));
        const expected =
          /optional route$|which is optional$|(quote|opened) did not pass$|for sale: --nft$/;
        expect(skipped.filter((line) => !expected.test(line))).toEqual([]);
        expect(output).toMatch(/^[1-9]\d passed, 0 failed, 19 skipped$/m);
        expect(code).toBe(0);
      },
      RUN_MS,
    );

    test.each(backendMistakes)(
      'fails $id in a backend that $title',
      async ({ title: name, id, words, edits }) => {
        const copy = join(temp, name.replaceAll(' ', '-'));
        cpSync(language.example, copy, { recursive: true });
        for (const { file, from, to } of edits[language.name as keyof typeof edits]) {
          const path = join(copy, file);
          const source = readFileSync(path, 'utf8');
          expect(source.split(from), `${file} has the text once`).toHaveLength(2);
          writeFileSync(
            path,
            source.replace(from, () => to),
          );
        }
        const { output, code } = await runConformance(language, copy, [
          ...['--only', id, '--wait', '6'],
        ]);
        expect(output).toMatch(new RegExp(`^FAIL {2}${id} `, 'm'));
        expect(output).toContain(words);
        expect(code).toBe(1);
      },
      RUN_MS,
    );
  });
}
