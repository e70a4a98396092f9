import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../root.js';
import { packPackage } from './packPackage.js';

/** The tarball. It is packed once for each process, because the build does not change while tests run. */
let packed: ReturnType<typeof packPackage> | undefined;

/**
 * Copies the files of the tarball into the `node_modules` of a folder. The lockfile of that folder installs their
 * dependencies.
 */
export async function installPackage(folder: string): Promise<void> {
  const place = join(folder, 'node_modules/@partner-ramp/react');
  await rm(place, { recursive: true, force: true });
  packed ??= packPackage();
  const { files } = await packed;
  await Promise.all(files.map(({ path }) => cp(join(root, path), join(place, path))));
}
