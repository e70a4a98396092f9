import { root } from '../root.js';
import { runNpm } from './runNode.js';

interface Tarball {
  /** The name of the tarball's file, without its folder. */
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs the last build into a folder. Without a folder, it only lists the files of the tarball. */
export async function packPackage(folder?: string): Promise<Tarball> {
  const target = folder ? ['--pack-destination', folder] : ['--dry-run'];
  const [tarball] = JSON.parse(await runNpm(['pack', '--json', ...target], { cwd: root })) as [
    Tarball,
  ];
  return tarball;
}
