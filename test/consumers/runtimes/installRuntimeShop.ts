import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { installPackage } from '../../support/packaging/installPackage.js';
import { root } from '../../support/root.js';

interface RuntimeShop {
  readonly folder: string;
  remove(): Promise<void>;
}

/**
 * Creates a folder outside this project, as a partner's is: with the packed package, the packages that a backend needs
 * (as links), and the servers of the runtimes.
 */
export async function installRuntimeShop(): Promise<RuntimeShop> {
  const folder = await mkdtemp(join(tmpdir(), 'ramp-runtime-'));
  const { name, dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const packages = [...Object.keys(dependencies), 'kysely', '@photostructure/sqlite', 'pg'];
  const manifest = {
    type: 'module',
    dependencies: Object.fromEntries([name, ...packages].map((each) => [each, '*'])),
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await installPackage(folder);
  for (const each of packages) {
    const target = join(folder, 'node_modules', each);
    await mkdir(dirname(target), { recursive: true });
    await symlink(join(root, 'node_modules', each), target);
  }
  for (const file of ['server', 'worker', 'stores'])
    await cp(join(import.meta.dirname, `${file}.mjs`), join(folder, `${file}.mjs`));
  await cp(
    join(root, 'test/conformance/conformanceBackend.mjs'),
    join(folder, 'conformanceBackend.mjs'),
  );
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
