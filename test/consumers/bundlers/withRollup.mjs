import { join } from 'node:path';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { transform } from 'esbuild';
import { rollup as run } from 'rollup';
import { toBundle } from './chunks.mjs';

/** A plugin that minifies with esbuild. Rollup has no minifier, so its users add one. */
const minify = {
  name: 'minify',
  renderChunk: async (code) => {
    const result = await transform(code, { minify: true, target: 'es2022', format: 'esm' });
    return { code: result.code, map: null };
  },
};

/** A plugin that replaces `process.env.NODE_ENV`. Rollup leaves this expression unchanged, so its users add one. */
const production = {
  name: 'production',
  transform: (code) => code.replaceAll('process.env.NODE_ENV', '"production"'),
};

const onwarn = () => {};

export const rollup = {
  async page({ entry, folder, external }) {
    const plugins = [nodeResolve({ browser: true }), production, minify];
    const bundle = await run({ input: entry, external, plugins, onwarn });
    const { output } = await bundle.write({ format: 'es', dir: folder });
    await bundle.close();
    return toBundle(output);
  },
  async server({ entry, folder }) {
    const plugins = [nodeResolve({ preferBuiltins: true })];
    const bundle = await run({ input: entry, external: /^node:/, plugins, onwarn });
    const file = join(folder, 'server.mjs');
    await bundle.write({ format: 'es', file, inlineDynamicImports: true });
    await bundle.close();
  },
};
