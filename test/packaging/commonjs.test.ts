import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runNode } from '../support/packaging/runNode.js';
import { root } from '../support/root.js';

const name = '@partner-ramp/react';
const entries = [
  name,
  `${name}/protocol`,
  `${name}/server`,
  `${name}/server/express`,
  `${name}/server/node`,
  `${name}/server/sql`,
  `${name}/sandbox`,
  `${name}/testing`,
  `${name}/testing/playwright`,
  `${name}/messages/de`,
];

/** The flag with which Node's `require` resolves as in Jest: with the export condition `require`, not `module-sync`. */
const asJest = '--no-experimental-require-module';

/** Runs CommonJS code in Node, as the body of an async function. Returns what the code returns. */
async function run(script: string, flags: string[] = [], cwd = root): Promise<unknown> {
  const print = (text: string) => `console.log(JSON.stringify(${text}))`;
  const code = `(async () => { ${script} })().then((it) => ${print('it')})`;
  return JSON.parse(await runNode([...flags, '-e', code], { cwd }));
}

it.each(entries)('require(%j) of Node returns the ES module that import returns', async (entry) => {
  const script = `return require('${entry}') === (await import('${entry}'));`;
  expect(await run(script)).toBe(true);
});

describe('the CommonJS files', () => {
  it.each(entries)('%s have the exports of the ES module', async (entry) => {
    const script = `return [require('${entry}'), await import('${entry}')].map((it) =>
      Object.keys(it).filter((key) => !['default', 'module.exports'].includes(key)).sort());`;
    const [cjs, esm] = (await run(script, [asJest])) as [string[], string[]];
    expect(cjs).toEqual(esm);
    expect(cjs.length).toBeGreaterThan(0);
  });

  it('share one RampError', async () => {
    const sharing = [name, `${name}/protocol`, `${name}/server`, `${name}/sandbox`];
    const script = `const all = ${JSON.stringify(sharing)}.map((entry) => require(entry).RampError);
      return [new Set(all).size, all[0] === (await import('${name}')).RampError];`;
    expect(await run(script, [asJest])).toEqual([1, false]);
  });

  it('load their dynamic parts with require', async () => {
    const folder = join(root, 'dist/cjs');
    const files = await readdir(folder, { recursive: true });
    const scripts = files.filter((file) => file.endsWith('.js'));
    const texts = await Promise.all(scripts.map((file) => readFile(join(folder, file), 'utf8')));
    const code = texts.join('\n').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    expect(code).not.toMatch(/\bimport\s*\(|\bimport\.meta\b/);
    expect(code).toContain('require("./chunks/openCheckout.js")');
  });

  it('of the server include the packages that verify addresses, with their licenses', async () => {
    const script = `const { findWalletIssue } = require('${name}/server');
      return (await findWalletIssue('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAec', 'evm')).reason;`;
    expect(await run(script, [asJest])).toBe('case');
    const licenses = await readFile(join(root, 'dist/cjs/LICENSES.txt'), 'utf8');
    expect(licenses.match(/^@.+/gm)).toEqual(['@noble/hashes', '@scure/base']);
    expect(licenses.match(/Permission is hereby granted/g)).toHaveLength(2);
  });

  it('of the test kit run outside the realm of the test, as they must in Jest', async () => {
    const script = `const { runInNewContext } = require('node:vm');
      const kit = require.resolve('${name}/testing');
      const inRealm = runInNewContext('(code) => new Function("module", "require", "__filename", code)');
      const module = {};
      inRealm(require('node:fs').readFileSync(kit, 'utf8'))(module, require, kit);
      const { createTestBackend } = module.exports;
      const { url } = await createTestBackend().openCheckout();
      return url;`;
    expect(await run(script, [asJest])).toMatch(/^https:\/\/pay\.example\/home\?/);
  });

  it('of the sandbox serve the widget', async () => {
    const script = `const sandbox = await require('${name}/sandbox').startSandbox({ port: 0 });
      const html = await (await fetch(sandbox.widgetUrl + '/home')).text();
      await sandbox.close();
      return html;`;
    expect(await run(script, [asJest])).toContain('<script type="module"');
  });
});

describe('the CommonJS files without optional packages', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ramp-commonjs-'));
    await cp(join(root, 'dist/cjs'), join(folder, 'cjs'), { recursive: true });
    await mkdir(join(folder, 'node_modules/@hono'), { recursive: true });
    const installed = ['@hono/node-server', 'hono', 'lossless-json', 'lru-cache', 'zod'];
    for (const it of [...installed, 'react', 'react-dom'])
      await symlink(join(root, 'node_modules', it), join(folder, 'node_modules', it), 'junction');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const render = (component: string) => `
    const ramp = require('./cjs/index.js');
    const { createElement } = require('react');
    return require('react-dom/server').renderToString(createElement(ramp.${component}, { api: '/api' }));`;

  it('render a button and the first markup of a price without react-query', async () => {
    expect(await run(render('OnRampButton'), [], folder)).toContain('Buy crypto');
    expect(await run(render('QuotePreview'), [], folder)).toContain('ramp-quote');
  });

  it.each(['server/index', 'server/express', 'server/node', 'protocol/index'])(
    '%s load without kysely and express',
    async (entry) => {
      const script = `return Object.keys(require('./cjs/${entry}.js')).length > 0;`;
      expect(await run(script, [], folder)).toBe(true);
    },
  );

  it('server/sql need kysely', async () => {
    const script = `return Object.keys(require('./cjs/server/sql/index.js')).length;`;
    await expect(run(script, [], folder)).rejects.toThrow("Cannot find module 'kysely'");
  });
});
