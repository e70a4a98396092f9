import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { initialFiles, readFiles } from './chunks.mjs';

const common = { bundle: true, format: 'esm', target: 'es2022', logLevel: 'silent' };

export const esbuild = {
  async page({ entry, folder, external }) {
    const { metafile } = await build({
      ...common,
      entryPoints: [entry],
      splitting: true,
      minify: true,
      metafile: true,
      define: { 'process.env.NODE_ENV': '"production"' },
      external,
      outdir: folder,
      absWorkingDir: folder,
    });
    const { outputs } = metafile;
    const [first] = Object.entries(outputs).find(
      ([, { entryPoint }]) => entryPoint && basename(entryPoint) === basename(entry),
    );
    const importsOf = (name) =>
      outputs[name].imports
        .filter(({ kind, external }) => kind === 'import-statement' && !external)
        .map(({ path }) => path);
    return {
      files: await readFiles(folder, Object.keys(outputs)),
      initial: initialFiles(first, importsOf),
    };
  },
  async server({ entry, folder, conditions }) {
    const outfile = join(folder, 'server.mjs');
    await build({ ...common, entryPoints: [entry], platform: 'node', conditions, outfile });
  },
};
