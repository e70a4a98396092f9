import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Finds the packages that a shop has installed. */
export interface PeerLoader {
  /** Imports a package of the shop. Resolves with undefined if it is not installed. */
  load<Module>(name: string): Promise<Module | undefined>;
  /** Returns the version of a package that the shop has installed. */
  findVersion(name: string): string | undefined;
}

/**
 * Creates a loader that looks in the shop's folder first, because this package may be installed elsewhere, as with npx.
 */
export function createPeerLoader(cwd: string): PeerLoader {
  const shop = createRequire(join(cwd, 'package.json'));
  const own = createRequire(import.meta.url);
  return {
    async load(name) {
      for (const require of [shop, own]) {
        const path = findPath(require, name);
        // Vite must not resolve the name, because the package belongs to the shop.
        if (path) return import(/* @vite-ignore */ pathToFileURL(path).href);
      }
      return undefined;
    },
    findVersion(name) {
      for (const folder of shop.resolve.paths(name) ?? []) {
        const version = readVersion(join(folder, name));
        if (version) return version;
      }
      return undefined;
    },
  };
}

function findPath(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined;
  }
}

/** Reads the version from the file, because a package's `exports` may hide its package.json from `require`. */
function readVersion(folder: string): string | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
  } catch {
    return undefined;
  }
}
