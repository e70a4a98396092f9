import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installPackage } from '../support/packaging/installPackage.js';
import { runNode } from '../support/packaging/runNode.js';
import { root } from '../support/root.js';

const folder = join(root, 'test/next');
let printed: string;

beforeAll(async () => {
  await installPackage(folder);
  const next = join(folder, 'node_modules/next/dist/bin/next');
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const;
  const build = runNode([next, 'build', 'refused'], { cwd: folder, env });
  printed = await build.catch((error: Error) => error.message);
}, 120_000);

afterAll(() => rm(join(folder, 'refused/.next'), { recursive: true, force: true }));

it('a client component that imports the server fails the build, which prints why', () => {
  expect(printed).toMatch(/Command failed/);
  expect(printed).toContain('hold secret keys and run in a backend only, never in a page');
});

it.each([
  ['server', 'createWidgetSigner'],
  ['express', 'toExpress'],
  ['sql', 'sqlOrderStore'],
  ['sandbox', 'startSandbox'],
])('the errors of the build name the page of %s', (page, name) => {
  expect(printed).toMatch(new RegExp(`refused/app/${page}/page\\.jsx:2:1`));
  expect(printed).toContain(`The export ${name} was not found`);
});
