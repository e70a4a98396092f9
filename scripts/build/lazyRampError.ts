import { resolve } from 'node:path';
import { normalizePath, type Plugin } from 'vite';

const entry = normalizePath(resolve('src/index.ts'));
const original = normalizePath(resolve('src/protocol/errors/RampError.ts'));
/** The path of a virtual module, whose content this plugin provides. */
const exported = normalizePath(resolve('src/protocol/errors/exportedRampError.ts'));

/**
 * Makes the entry export RampError through a separate module. Code that loads later imports the class too. Without this
 * plugin, esbuild would move the class to a file that every page loads first, even a page that does not use it. That
 * would cost 150 bytes after gzip.
 */
export const lazyRampError: Plugin = {
  name: 'lazy-ramp-error',
  enforce: 'pre',
  resolveId: (id, importer) =>
    importer === entry && id.endsWith('/RampError.js') ? exported : undefined,
  load: (id) =>
    id === exported
      ? `import { RampError as Original } from ${JSON.stringify(original)};\nexport const RampError = Original;\n`
      : undefined,
};
