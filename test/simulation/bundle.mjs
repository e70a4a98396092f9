import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { root } from '../../scripts/install.mjs';

const outDir = join(root, 'node_modules', '.cache', 'simulation');

/** Replaces the server's `rsa.ts` with that of the simulation. */
const replaceRsa = {
  name: 'replace-rsa',
  enforce: 'pre',
  resolveId: (source) =>
    source.endsWith('/signing/rsa.js') ? join(import.meta.dirname, 'rsa.ts') : undefined,
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
    plugins: [replaceRsa, ...plugins],
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
