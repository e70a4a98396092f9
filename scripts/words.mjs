// Part of npm run lint: fails where a comment, a text or a document uses a phrase of plainEnglish.mjs.
// `node scripts/words.mjs src/server docs` checks only these paths.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countCommentLines, findUnclearPhrases } from './findUnclearPhrases.mjs';
import { root } from './install.mjs';

/** Files that are not checked: other languages, data, the list itself, and documents that are written from checked sources. */
const skipped =
  /^(?:src\/messages\/(?!en\.)[a-z]{2}(?:-\w+)?\.ts|docs\/api\/|scripts\/plainEnglish\.mjs|test\/scripts\/findUnclearPhrases\.test\.ts|test\/vectors\/|LICENSE|.*(?:package-lock|tsconfig[^/]*|-vectors)\.json|\.storybook\/public\/)/;

const paths = process.argv.slice(2);
const listed = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...paths],
  { cwd: root, encoding: 'utf8' },
);
let lines = 0;
const counts = { comment: new Set(), text: new Set(), prose: new Set() };
for (const file of new Set(listed.split('\0'))) {
  // A deleted file stays in the index until it is staged.
  if (!file || skipped.test(file) || !existsSync(join(root, file))) continue;
  const source = readFileSync(join(root, file), 'utf8');
  lines += countCommentLines(file, source);
  for (const { line, kind, phrase, instead } of findUnclearPhrases(file, source)) {
    counts[kind].add(`${file}:${line}`);
    process.stdout.write(`${file}:${line} ${kind}: "${phrase}" (write: ${instead})\n`);
  }
}
const { comment, text, prose } = counts;
process.stdout.write(
  `Word list: ${comment.size} of ${lines} comment lines, ${text.size} texts, ${prose.size} lines of documents\n`,
);
process.exitCode = comment.size + text.size + prose.size > 0 ? 1 : 0;
