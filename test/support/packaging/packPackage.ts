import { root } from '../root.js';
import { runNpm } from './runNode.js';

/** The package as it is published. */
interface Tarball {
  /** Its name in the folder. */
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs what was built last into a folder; without one it only tells what would be in it. */
export async function packPackage(folder?: string): Promise<Tarball> {
  const target = folder ? ['--pack-destination', folder] : ['--dry-run'];
  const [tarball] = JSON.parse(await runNpm(['pack', '--json', ...target], { cwd: root })) as [
    Tarball,
  ];
  return tarball;
}
