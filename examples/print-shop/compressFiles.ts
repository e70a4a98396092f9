import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(?:js|css|svg)$/;

/** The minimum size of a file to compress. A smaller file fits in one packet anyway. */
const MIN_BYTES = 1000;

/**
 * Writes a Brotli copy and a gzip copy beside each built JavaScript, CSS and SVG file, so that the server compresses
 * nothing while it runs. `storefrontFiles` sends the copies.
 */
export function compressFiles(folder: string): Plugin {
  return {
    name: 'compress-files',
    apply: 'build',
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!COMPRESSIBLE.test(name)) continue;
        const file = join(folder, name);
        const content = readFileSync(file);
        if (content.length < MIN_BYTES) continue;
        writeFileSync(`${file}.br`, brotliCompressSync(content));
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}
