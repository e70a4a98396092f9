import { join } from 'node:path';
import { build, normalizePath, type Rolldown } from 'vite';
import { root } from './bundle-page.js';

/** Exists in memory alone; its folder is where the package is resolved from. */
const entry = normalizePath(join(root, 'page-script.js'));

/** The text of a page's entry module as one script for a browser, React and the built package with it. */
export async function pageScript(text: string): Promise<string> {
  const output = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    mode: 'production',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'page-script',
        resolveId: (id) => (id === entry ? entry : undefined),
        load: (id) => (id === entry ? text : undefined),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      lib: { entry, formats: ['iife'], name: 'page', fileName: 'page' },
    },
  });
  const [{ output: files }] = output as [Rolldown.RolldownOutput];
  return files.flatMap((file) => (file.type === 'chunk' ? [file.code] : [])).join('\n');
}
