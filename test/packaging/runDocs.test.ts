import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transformWithOxc } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../scripts/ports.mjs';
import { root } from '../support/root.js';
import vectors from '../vectors/signing.json' with { type: 'json' };

// The folder is inside the project, so that `@partner-ramp/react` resolves to the built package.
const folder = join(root, 'test', '.output', 'docs-run');

/** Matches code that does not run alone, because it needs the reader's code, a page, a server or a test runner. */
const needsMore =
  /\bdeclare\b|^import '|from '(?:\.[^']*|react|@partner-ramp\/react|pg|viem|@vitejs\/plugin-vue|@playwright\/test|@jest\/globals|vitest)'/m;

/** Returns the TypeScript blocks of the guides that run alone, with their names. */
async function findRunnable(): Promise<[name: string, code: string][]> {
  const found: [string, string][] = [];
  for (const file of await readdir(join(root, 'docs'))) {
    // gettingStarted.test.ts runs docs/getting-started.md as a whole.
    if (!file.endsWith('.md') || file === 'getting-started.md') continue;
    const text = await readFile(join(root, 'docs', file), 'utf8');
    for (const [, code = ''] of text.matchAll(/^```ts\n([\s\S]*?)^```/gm))
      if (!needsMore.test(code)) found.push([`${file.slice(0, -3)}-${found.length}`, code]);
  }
  return found;
}

const runnable = await findRunnable();

beforeAll(async () => {
  await rm(folder, { recursive: true, force: true });
  // A block of docs/deployment.md writes its database to this folder.
  await mkdir(join(folder, 'data'), { recursive: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the guides have blocks that run unchanged', () => {
  expect(runnable.length).toBeGreaterThan(5);
});

test.each(runnable)('the block %s runs', async (name, code) => {
  const port = await findFreePort();
  const { code: script } = await transformWithOxc(code.replace('4010', `${port}`), `${name}.ts`);
  const file = join(folder, `${name}.mjs`);
  // process.exit() ends a block that starts a sandbox, which would otherwise run until Ctrl-C.
  await writeFile(file, `${script}\nprocess.exit(0);\n`);
  const env = {
    ...process.env,
    NODE_ENV: 'development' as const,
    RAMP_API_PRIVATE_KEY: vectors.keys.apiPrivateKey.replaceAll('\n', '\\n'),
  };
  const run = promisify(execFile)(process.execPath, [file], { cwd: folder, env, timeout: 60_000 });
  await expect(run).resolves.toMatchObject({ stderr: '' });
});
