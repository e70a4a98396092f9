import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createConfigError } from '../../protocol/errors/RampError.js';

/** The files of the built page, which are read at the first request and then kept. */
interface WidgetFiles {
  readonly html: string;
  /**
   * The files of the folder `assets` by name. Only these names are served, so no request can reach a file outside the
   * folder.
   */
  readonly assets: ReadonlyMap<string, WidgetAsset>;
}

interface WidgetAsset {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

/**
 * The output folder of `vite build -c src/sandbox/widget/vite.config.ts`, relative to this file: the first path
 * applies in dist/sandbox/checkout, the second in src/sandbox/checkout. They are not written as `new URL('…',
 * import.meta.url)`, because Vite and Turbopack would bundle that as an asset.
 */
const candidates = ['../../widget', '../../../dist/widget'];
const here = dirname(fileURLToPath(import.meta.url));

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

let files: WidgetFiles | undefined;

/**
 * Reads the built page.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when the page is not built
 */
export function readWidgetFiles(): WidgetFiles {
  files ??= loadWidgetFiles();
  return files;
}

function loadWidgetFiles(): WidgetFiles {
  const folder = candidates
    .map((path) => join(here, path))
    // Look for `assets`, not for index.html: only a built page has `assets`.
    .find((path) => existsSync(join(path, 'assets')));
  if (!folder)
    throw createConfigError(
      'Sandbox:',
      'the widget page is not built. Run npm run build, then start again.',
    );
  const assets = join(folder, 'assets');
  return {
    html: readFileSync(join(folder, 'index.html'), 'utf8'),
    assets: new Map(
      readdirSync(assets).map((name) => [
        name,
        {
          body: new Uint8Array(readFileSync(join(assets, name))),
          type: types[extname(name)] ?? 'application/octet-stream',
        },
      ]),
    ),
  };
}
