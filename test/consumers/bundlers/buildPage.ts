import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { bundlers } from './bundlers.mjs';

export type BundlerName = keyof typeof bundlers;
export const bundlerNames = Object.keys(bundlers) as BundlerName[];

// The output is inside this folder, so that its imports resolve from this folder's node_modules.
const output = fileURLToPath(new URL('.output', import.meta.url));

const external = [
  'react',
  'react/jsx-runtime',
  'react-dom',
  'react-dom/client',
  '@tanstack/react-query',
];

/**
 * Writes the modules to a folder, calls `use` with the folder, and removes the folder afterwards. Equal sources always
 * get the same folder name, because chunk names depend on it, and the compressed sizes depend on the chunk names.
 */
async function withSources<T>(
  bundler: BundlerName,
  sources: Readonly<Record<string, string>>,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const hash = createHash('sha256').update(JSON.stringify(sources)).digest('hex').slice(0, 8);
  const folder = join(output, `${bundler}-${hash}`);
  await mkdir(join(folder, 'dist'), { recursive: true });
  try {
    for (const [name, code] of Object.entries(sources)) await writeFile(join(folder, name), code);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Builds a page for production, with React external. */
export const buildPage = (bundler: BundlerName, sources: Readonly<Record<'page.js', string>>) =>
  withSources(bundler, sources, (folder) =>
    bundlers[bundler].page({
      entry: join(folder, 'page.js'),
      folder: join(folder, 'dist'),
      external,
    }),
  );

/** Builds a module for Node, calls `use` with the path of the built file, and returns the result of `use`. */
export const buildServer = <T>(
  bundler: BundlerName,
  code: string,
  use: (file: string) => Promise<T>,
  conditions: string[] = [],
) =>
  withSources(bundler, { 'entry.js': code }, async (folder) => {
    await bundlers[bundler].server({ entry: join(folder, 'entry.js'), folder, conditions });
    return use(join(folder, 'server.mjs'));
  });

/** Returns the gzipped bytes of a page's initial load. */
export async function initialBytes(
  bundler: BundlerName,
  sources: Readonly<Record<'page.js', string>>,
): Promise<number> {
  const { files, initial } = await buildPage(bundler, sources);
  return files
    .filter(({ name }) => initial.includes(name))
    .reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0);
}
