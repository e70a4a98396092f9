import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackage } from '../support/packaging/packPackage.js';
import { runNode, runNpm } from '../support/packaging/runNode.js';
import { root } from '../support/root.js';

/** A storefront in a folder outside this project, in which the packed package is installed as partners install it. */
export interface InstalledShop {
  folder: string;
  /** The paths of the files in the package's tarball. */
  packed: string[];
  /** Runs a script of an installed package with Node.js. Rejects with the output when the script fails. */
  run(script: string, ...args: string[]): Promise<string>;
  remove(): Promise<void>;
}

const installed = [
  '@types/react',
  '@types/react-dom',
  'react',
  'react-dom',
  'typescript',
  'vite',
] as const;

const tsconfig = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    module: 'ESNext',
    moduleResolution: 'Bundler',
    jsx: 'react-jsx',
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    types: [],
  },
  include: ['src/App.tsx'],
};

/** Packs the package and installs it in a new folder. The dependencies have the same versions as in this project. */
export async function createInstalledShop(app: string): Promise<InstalledShop> {
  const folder = await mkdtemp(join(tmpdir(), 'installed-shop-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const { filename, files } = await packPackage(folder);
    const write = (file: string, text: string) => writeFile(join(folder, file), text);
    await mkdir(join(folder, 'src'));
    await write('package.json', JSON.stringify({ private: true, type: 'module' }));
    await write('tsconfig.json', JSON.stringify(tsconfig));
    await write('index.html', '<!doctype html><script type="module" src="/src/main.js"></script>');
    await write('src/main.js', `import * as app from './App.tsx';\nglobalThis.app = app;\n`);
    await write('src/App.tsx', app);
    const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const packages = installed.map((name) => `${name}@${devDependencies[name]}`);
    const quiet = ['--prefer-offline', '--no-audit', '--no-fund'];
    await runNpm(['install', ...quiet, `./${filename}`, ...packages], { cwd: folder });
    return {
      folder,
      packed: files.map((file) => file.path),
      run: (script, ...args) =>
        runNode([join(folder, 'node_modules', script), ...args], { cwd: folder }),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
