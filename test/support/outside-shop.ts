import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './bundle-page.js';

/** A storefront outside this project that has the packed package installed, as a partner's has. */
export interface OutsideShop {
  folder: string;
  /** The files in the tarball. */
  packed: string[];
  /** Runs a program of one of its packages; rejects with what it printed when it fails. */
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

/** Packs the package and installs it, at the versions this project is tested with. */
export async function openOutsideShop(app: string): Promise<OutsideShop> {
  const folder = await mkdtemp(join(tmpdir(), 'outside-shop-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const report = await npm(root, 'pack', '--json', '--pack-destination', folder);
    const [{ filename, files }] = JSON.parse(report) as [
      { filename: string; files: { path: string }[] },
    ];
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
    await npm(folder, 'install', ...quiet, `./${filename}`, ...packages);
    return {
      folder,
      packed: files.map((file) => file.path),
      run: (script, ...args) => node(folder, join(folder, 'node_modules', script), ...args),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function npm(cwd: string, ...args: string[]): Promise<string> {
  const cli = process.env.npm_execpath;
  if (cli && /npm-cli\.c?js$/.test(cli)) return node(cwd, cli, ...args);
  return execute('npm', args, { cwd, shell: process.platform === 'win32' });
}

const node = (cwd: string, ...args: string[]) => execute(process.execPath, args, { cwd });

async function execute(file: string, args: string[], options: { cwd: string; shell?: boolean }) {
  try {
    return (await promisify(execFile)(file, args, options)).stdout;
  } catch (error) {
    const { message, stdout, stderr } = error as Error & { stdout?: string; stderr?: string };
    throw new Error([message, stdout, stderr].filter(Boolean).join('\n'));
  }
}
