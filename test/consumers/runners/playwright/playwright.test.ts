import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchOptions } from '../../../support/browser/launchOptions.js';
import { runNode } from '../../../support/packaging/runNode.js';
import { root } from '../../../support/root.js';

const here = fileURLToPath(new URL('.', import.meta.url));

interface Suite {
  readonly suites?: readonly Suite[];
  readonly specs?: readonly { readonly title: string; readonly ok: boolean }[];
}

const listSpecs = ({ suites = [], specs = [] }: Suite): NonNullable<Suite['specs']>[number][] => [
  ...specs,
  ...suites.flatMap(listSpecs),
];

let project: string;
let guide: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'ramp-playwright-'));
  for (const file of ['package.json', 'playwright.config.js', 'server.js', 'lostWebhook.spec.ts'])
    await cp(join(here, file), join(project, file));
  await symlink(join(here, '../node_modules'), join(project, 'node_modules'), 'junction');
  const text = await readFile(join(root, 'docs/testing.md'), 'utf8');
  const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
  guide = blocks.find((code) => code.includes("from '@playwright/test'")) ?? '';
  await writeFile(join(project, 'guide.spec.ts'), guide);
});
afterAll(() => rm(project, { recursive: true, force: true, maxRetries: 5 }));

it('runs the test of the guide and a lost webhook in Chromium, from the packed package', async () => {
  const report = join(project, 'report.json');
  const env = {
    ...process.env,
    NODE_ENV: 'test' as const,
    LAUNCH_OPTIONS: JSON.stringify(launchOptions),
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  };
  const cli = 'node_modules/@playwright/test/cli.js';
  const printed = await runNode([cli, 'test', '--reporter=json'], { cwd: project, env }).catch(
    ({ message }: Error) => message,
  );
  const content = await readFile(report, 'utf8').catch(() => {
    throw new Error(`Playwright wrote no report:\n${printed}`);
  });
  const specs = listSpecs(JSON.parse(content));
  expect(
    specs.filter(({ ok }) => !ok),
    content,
  ).toEqual([]);
  expect(specs.map(({ title }) => title).sort()).toEqual([
    'a paid order is delivered',
    'a paid order whose webhook is lost is delivered',
    'an unpaid checkout is not delivered',
  ]);
});

it('the test of the guide has at most 20 lines', () => {
  expect(guide.trimEnd().split('\n').length).toBeLessThanOrEqual(20);
});
