import { esbuild } from './withEsbuild.mjs';
import { rollup } from './withRollup.mjs';
import { vite } from './withVite.mjs';
import { rspack, webpack } from './withWebpack.mjs';

export const bundlers = { Vite: vite, Rollup: rollup, esbuild, webpack, Rspack: rspack };
