import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../root.js';
import { packPackage } from './packPackage.js';

/** The tarball's content. It is listed once per process, because the build does not change while tests run. */
let packed: ReturnType<typeof packPackage> | undefined;

/**
 * Copies the files that the package would publish into the `node_modules` of a folder. Does not install the package's
 * dependencies, so the lockfile of that folder must have them.
 */
export async function installPackage(folder: string): Promise<void> {
  const place = join(folder, 'node_modules/@partner-ramp/react');
  await rm(place, { recursive: true, force: true });
  packed ??= packPackage();
  const { files } = await packed;
  await Promise.all(files.map(({ path }) => cp(join(root, path), join(place, path))));
}
