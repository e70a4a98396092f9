import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { RampError } from '../protocol/ramp-error.js';

/** The built page, read once. */
export interface WidgetFiles {
  readonly html: string;
  /** By file name. Only what was in the folder can be asked for, so no path can lead out of it. */
  readonly assets: ReadonlyMap<string, WidgetAsset>;
}

interface WidgetAsset {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

/**
 * The output folder of `vite build -c src/sandbox/widget/vite.config.ts`, relative to this file in
 * dist/sandbox and in src/sandbox. The code does not write `new URL('…', import.meta.url)` in one
 * piece, because the library's build would copy the folder as an asset.
 */
const candidates = ['../widget/', '../../dist/widget/'];

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

let files: WidgetFiles | undefined;

/**
 * The built page.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when it was not built
 */
export function widgetFiles(): WidgetFiles {
  files ??= read();
  return files;
}

function read(): WidgetFiles {
  const folder = candidates
    .map((path) => new URL(path, import.meta.url))
    // Not index.html: a source folder has one too.
    .find((url) => existsSync(new URL('assets/', url)));
  if (!folder)
    throw new RampError(
      'ERR_CONFIG_INVALID',
      'Sandbox: the widget page is not built. Run npm run build, then start again.',
    );
  const assets = new URL('assets/', folder);
  return {
    html: readFileSync(new URL('index.html', folder), 'utf8'),
    assets: new Map(
      readdirSync(assets).map((name) => [
        name,
        {
          body: new Uint8Array(readFileSync(new URL(name, assets))),
          type: types[extname(name)] ?? 'application/octet-stream',
        },
      ]),
    ),
  };
}
