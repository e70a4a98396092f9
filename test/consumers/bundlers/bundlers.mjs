import { esbuild } from './withEsbuild.mjs';
import { rollup } from './withRollup.mjs';
import { vite } from './withVite.mjs';
import { rspack, webpack } from './withWebpack.mjs';

/**
 * The bundlers. Each of them has two functions that build an entry module into a folder:
 *
 * - `page` builds for production. It returns all files. `initial` names the files that the page loads first.
 * - `server` builds `server.mjs` for Node, with all dependencies in it. Only esbuild supports the option `conditions`.
 */
export const bundlers = { Vite: vite, Rollup: rollup, esbuild, webpack, Rspack: rspack };
