import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackage } from '../support/installPackage.js';

/** Puts the package, as it is published, into each folder of consumers. */
export default async function setup(): Promise<void> {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const folders = readdirSync(here).map((name) => join(here, name));
  for (const folder of folders)
    if (existsSync(join(folder, 'package.json'))) await installPackage(folder);
}
