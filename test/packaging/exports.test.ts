import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { expect, test } from 'vitest';
import { root } from '../support/root.js';

const dist = (file: string) => readFileSync(join(root, 'dist', file), 'utf8');

test('publint finds no problems', async () => {
  const { messages, pkg } = await publint({ pkgDir: root, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

// TypeScript 7 has no resolution node10, and a package with exports cannot serve it. So the profile leaves it out.
test('the types fit every export', async () => {
  const attw = join(root, 'node_modules', '@arethetypeswrong', 'cli', 'dist', 'index.js');
  const arguments_ = [attw, '--pack', '.', '--profile', 'node16', '--no-color', '--no-emoji'];
  const { code, stdout } = await promisify(execFile)(process.execPath, arguments_, { cwd: root })
    .then(({ stdout }) => ({ code: 0, stdout }))
    .catch((error) => ({ code: error.code ?? 1, stdout: `${error.stdout}${error.stderr}` }));
  expect(code, stdout).toBe(0);
});

test.each(['index.js', 'cjs/index.js', 'react/quote/quoteHooks.js'])(
  "%s starts with one 'use client'",
  (entry) => {
    expect(dist(entry)).toMatch(/^["']use client["'];/);
    expect(dist(entry).match(/use client/g)).toHaveLength(1);
  },
);

test('the stylesheet is one file with the rules of every component', () => {
  const styles = dist('styles.css');
  expect(styles).not.toMatch(/^\s*@import/m);
  for (const component of ['button', 'dialog', 'quote', 'quote-list'])
    expect(styles).toMatch(new RegExp(`\\n\\.ramp-${component}(,\\n[^{]*)? {`));
});

test.each([
  'element/index.js',
  'quotes.js',
  'client/quote/quoteQueries.js',
  'protocol/index.js',
  'server/index.js',
  'server/express.js',
  'server/node.js',
  'server/sql/index.js',
  'sandbox/index.js',
  'testing/index.js',
  'testing/playwright.js',
])("%s has no 'use client', so server components can import it", (entry) => {
  expect(dist(entry)).not.toContain('use client');
});
