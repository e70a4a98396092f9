import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { root } from '../../scripts/install.mjs';

const outDir = join(root, 'node_modules', '.cache', 'simulation');

/** What takes the place of modules of the server and of Node.js. */
const replacements = [
  ['/signing/rsa.js', 'rsa.ts'],
  ['node:async_hooks', 'asyncHooks.ts'],
];

const replaceModules = {
  name: 'replace-modules',
  enforce: 'pre',
  resolveId(source) {
    const found = replacements.find(([end]) => source.endsWith(end));
    return found && join(import.meta.dirname, found[1]);
  },
};

/** Keeps Kysely from freezing every part of every query, which takes time and changes nothing else. */
const thawKysely = {
  name: 'thaw-kysely',
  transform(code, id) {
    if (!/\/kysely\/.*\/object-utils\.js$/.test(id)) return undefined;
    const thawed = code.replace('return Object.freeze(obj)', 'return obj');
    if (thawed === code) throw new Error('Kysely freezes its queries in another way.');
    return thawed;
  },
};

/**
 * Bundles the simulation with the sources of the package, and returns the bundle's exports. Loading modules that Vite
 * transforms one by one would take longer in each run.
 *
 * @param name - The name of the bundle. A bundle with the same name is replaced.
 * @param plugins - Vite plugins that change the sources.
 * @returns {Promise<typeof import('./command.js')>}
 */
export async function loadSimulation(name, plugins = []) {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    mode: 'production',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [replaceModules, thawKysely, ...plugins],
    ssr: { noExternal: ['kysely'] },
    // The same Hono, with a router that compiles nothing. Processes that live for one request are frequent.
    resolve: { alias: [{ find: /^hono$/, replacement: 'hono/quick' }] },
    build: {
      ssr: join(import.meta.dirname, 'command.ts'),
      outDir,
      emptyOutDir: false,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: `${name}.js`, codeSplitting: false } },
    },
  });
  return import(pathToFileURL(join(outDir, `${name}.js`)).href);
}
