import { cp, link, mkdir, mkdtemp, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../root.js';

/** A copy of an example in a folder outside the project. */
interface InstalledExample {
  readonly folder: string;
  remove(): Promise<void>;
}

const forVite = join(root, 'test/consumers/examples/node_modules');
const forFrameworks = join(root, 'test/consumers/frameworks/node_modules');
/** The folders with the dependencies of examples. The others have theirs in `forVite`. */
const modulesOf: Readonly<Record<string, string>> = {
  next: join(root, 'test/next/node_modules'),
  astro: forFrameworks,
  'react-router': forFrameworks,
  'tanstack-start': forFrameworks,
};
/** The name of the package. The test setup has installed its published files in each folder of test/consumers. */
const packed = '@partner-ramp/react';

/**
 * Copies an example into a temporary folder, with its dependencies and the packed package. Uses hard links instead of
 * symbolic links, because bundlers treat a package outside of their root folder differently.
 */
export async function installExample(name: string): Promise<InstalledExample> {
  const folder = await mkdtemp(join(tmpdir(), `ramp-${name}-`));
  const isOwn = (path: string) =>
    !/[\\/](?:node_modules|dist|build|\.next|\.astro|\.react-router|\.env)$/.test(path);
  await cp(join(root, 'examples', name), folder, { recursive: true, filter: isOwn });
  const modules = join(folder, 'node_modules');
  await linkTree(modulesOf[name] ?? forVite, modules);
  if (name === 'next') {
    await rm(join(modules, packed), { recursive: true, force: true });
    await linkTree(join(forVite, packed), join(modules, packed));
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

async function linkTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      const [source, target] = [join(from, entry.name), join(to, entry.name)];
      if (entry.isDirectory()) await linkTree(source, target);
      else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
      // A file cannot be linked if the temporary folder is on another disk. Copy it then.
      else await link(source, target).catch(() => cp(source, target));
    }),
  );
}
