import { dirname } from 'node:path';
import { build } from 'vite';
import { toBundle } from './chunks.mjs';

const common = {
  configFile: false,
  logLevel: 'silent',
  mode: 'production',
  define: { 'process.env.NODE_ENV': '"production"' },
};

export const vite = {
  async page({ entry, folder, external }) {
    const { output } = await build({
      ...common,
      root: dirname(entry),
      build: {
        outDir: folder,
        target: 'es2022',
        // Without the polyfill for older browsers, the measured size is that of the component alone.
        modulePreload: { polyfill: false },
        rolldownOptions: { input: entry, external },
      },
    });
    return toBundle(output);
  },
  async server({ entry, folder }) {
    await build({
      ...common,
      root: dirname(entry),
      ssr: { noExternal: true },
      build: {
        ssr: entry,
        outDir: folder,
        rolldownOptions: { output: { entryFileNames: 'server.mjs' } },
      },
    });
  },
};
