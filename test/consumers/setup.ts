import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackage } from '../support/packaging/installPackage.js';

/** Copies the packed package into each folder of test/consumers that has a node_modules folder. */
export default async function setup(): Promise<void> {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const folders = readdirSync(here).map((name) => join(here, name));
  const installed = folders.filter((folder) => existsSync(join(folder, 'node_modules')));
  await Promise.all(installed.map(installPackage));
}
