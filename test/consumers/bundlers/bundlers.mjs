import { esbuild } from './withEsbuild.mjs';
import { rollup } from './withRollup.mjs';
import { vite } from './withVite.mjs';
import { rspack, webpack } from './withWebpack.mjs';

/**
 * Each builds an entry module into a folder. `page` builds for production, and returns the files and the names of those
 * of the initial load. `server` builds `server.mjs` for Node with all dependencies; only esbuild supports `conditions`.
 */
export const bundlers = { Vite: vite, Rollup: rollup, esbuild, webpack, Rspack: rspack };
