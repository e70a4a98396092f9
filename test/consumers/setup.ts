import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackage } from '../support/installPackage.js';

/** Puts the package, as it is published, into each folder of consumers. */
export default async function setup(): Promise<void> {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const folders = (await readdir(here, { withFileTypes: true })).filter((each) =>
    each.isDirectory(),
  );
  for (const { name } of folders) await installPackage(join(here, name));
}
