import { dirname } from 'node:path';
import { rspack as runRspack } from '@rspack/core';
import runWebpack from 'webpack';
import { readFiles } from './chunks.mjs';

function run(compiler, configuration) {
  return new Promise((resolve, reject) => {
    const running = compiler(configuration);
    running.run((error, stats) => {
      running.close(() => {
        if (error) reject(error);
        else if (stats.hasErrors()) reject(new Error(stats.toString({ all: false, errors: true })));
        else resolve(stats.toJson({ all: false, entrypoints: true, assets: true }));
      });
    });
  });
}

const configurationOf = ({ entry, folder }) => ({
  mode: 'production',
  context: dirname(entry),
  devtool: false,
  performance: false,
  experiments: { outputModule: true },
  output: { path: folder, module: true, chunkFormat: 'module', filename: '[name].mjs' },
});

/** Creates `page` and `server` for webpack or Rspack, which accept the same configuration. */
const withCompiler = (compiler) => ({
  async page({ entry, folder, external }) {
    const { entrypoints, assets } = await run(compiler, {
      ...configurationOf({ entry, folder }),
      target: ['web', 'es2022'],
      entry: { page: entry },
      externals: Object.fromEntries(external.map((name) => [name, `module ${name}`])),
    });
    return {
      files: await readFiles(
        folder,
        assets.map(({ name }) => name).filter((name) => /\.m?js$/.test(name)),
      ),
      initial: entrypoints.page.assets.map(({ name }) => name),
    };
  },
  async server({ entry, folder }) {
    await run(compiler, {
      ...configurationOf({ entry, folder }),
      target: 'node20',
      entry: { server: entry },
      optimization: { minimize: false },
    });
  },
});

export const webpack = withCompiler(runWebpack);
export const rspack = withCompiler(runRspack);
