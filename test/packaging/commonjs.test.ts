import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runNode } from '../support/packaging/runNode.js';
import { root } from '../support/root.js';

const name = '@partner-ramp/react';
const page = [name, `${name}/element`, `${name}/protocol`, `${name}/messages/de`];
const backend = [
  ...['server', 'server/express', 'server/node', 'server/sql', 'sandbox', 'testing'],
  'testing/playwright',
].map((entry) => `${name}/${entry}`);

/**
 * The flag with which Node's `require` resolves as in Jest: with the export condition `require`, not `module-sync`. Only
 * the files of the page work with it, because it also turns off `require` of ES modules.
 */
const asJest = '--no-experimental-require-module';

/** Runs CommonJS code in Node, as the body of an async function. Returns what the code returns. */
async function run(script: string, flags: string[] = []): Promise<unknown> {
  const code = `(async () => { ${script} })().then((it) => console.log(JSON.stringify(it)))`;
  return JSON.parse(await runNode([...flags, '-e', code], { cwd: root }));
}

it.each([...page, ...backend])(
  'require(%j) of Node returns the ES module that import returns',
  async (entry) => {
    const script = `return require('${entry}') === (await import('${entry}'));`;
    expect(await run(script)).toBe(true);
  },
);

/** The backend of a CommonJS shop. Its `import` declarations become `require`, so it has the CommonJS build of Kysely. */
const shop = `
import { findWalletIssue, RampError } from '${name}/server';
import { postgresPool, sqlOrderStore } from '${name}/server/sql';
import { RampError as RampErrorOfProtocol } from '${name}/protocol';
import { Kysely, PostgresAdapter, PostgresDialect } from 'kysely';
import pg from 'pg';

async function start(): Promise<void> {
  const esm: object = (await import('kysely')).PostgresAdapter;
  const isCopy = PostgresAdapter !== esm;
  const dialect = new PostgresDialect({ pool: postgresPool({ pg }) });
  const store = sqlOrderStore(new Kysely<object>({ dialect }));
  const issue = await findWalletIssue('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAec', 'evm');
  const isSame = (RampError as unknown) === RampErrorOfProtocol;
  console.log(isCopy, typeof store.saveCheckout, issue?.reason, isSame, typeof require);
}
void start();
`;

it('a shop that tsc compiles to CommonJS runs', async () => {
  // The folder is in the project, so that the imports resolve to the last build.
  const folder = join(root, 'test/.output/commonjs-shop');
  await mkdir(folder, { recursive: true });
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'shop.cts'), shop);
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['--module', 'nodenext', '--target', 'es2022', '--strict', '--types', 'node'];
  await runNode([tsc, ...options, '--skipLibCheck', '--ignoreConfig', 'shop.cts'], { cwd: folder });
  expect(await readFile(join(folder, 'shop.cjs'), 'utf8')).toContain('require("kysely")');
  expect(await runNode(['shop.cjs'], { cwd: folder })).toBe('true function case true function\n');
});

it('the test kit runs outside the realm of the test, as it must in Jest', async () => {
  const script = `const { runInNewContext } = require('node:vm');
    const kit = require('node:path').resolve('dist/cjs/testing/index.js');
    const inRealm = runInNewContext('(code) => new Function("module", "require", "__filename", code)');
    const module = {};
    inRealm(require('node:fs').readFileSync(kit, 'utf8'))(module, require, kit);
    const { createTestBackend } = module.exports;
    const { url } = await createTestBackend().openCheckout();
    return url;`;
  expect(await run(script)).toMatch(/^https:\/\/pay\.example\/home\?/);
});

describe('the CommonJS files of the page', () => {
  it.each(page)('%s have the exports of the ES module', async (entry) => {
    const script = `return [require('${entry}'), await import('${entry}')].map((it) =>
      Object.keys(it).filter((key) => !['default', 'module.exports'].includes(key)).sort());`;
    const [cjs, esm] = (await run(script, [asJest])) as [string[], string[]];
    expect(cjs).toEqual(esm);
    expect(cjs.length).toBeGreaterThan(0);
  });

  it('share one RampError', async () => {
    const script = `const all = ['${name}', '${name}/protocol'].map((it) => require(it).RampError);
      return [all[0] === all[1], all[0] === (await import('${name}')).RampError];`;
    expect(await run(script, [asJest])).toEqual([true, false]);
  });

  it('render a button', async () => {
    const script = `const { OnRampButton } = require('${name}');
      const button = require('react').createElement(OnRampButton, { api: '/api' });
      return require('react-dom/server').renderToString(button);`;
    expect(await run(script, [asJest])).toContain('Buy crypto');
  });

  it('load their dynamic parts with require', async () => {
    const folder = join(root, 'dist/cjs');
    const files = await readdir(folder, { recursive: true });
    const scripts = files.filter((file) => file.endsWith('.js'));
    const texts = await Promise.all(scripts.map((file) => readFile(join(folder, file), 'utf8')));
    const code = texts.join('\n').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    expect(code).not.toMatch(/\bimport\s*\(|\bimport\.meta\b/);
    expect(code).toMatch(/\.then\(\(\) => require\("[./a-z]*openCheckout\.js"\)/);
  });
});
