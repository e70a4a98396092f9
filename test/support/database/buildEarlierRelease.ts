import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { external } from '../../../vite.config.js';

/** A commit of release 0.1.0, with version 1 of the tables. */
const RELEASE = '355d5e4f';

const PARTS = ['src/server', 'src/protocol', 'test/support/database'];
const ENTRIES = ['server/index', 'server/sql/index'];

const hasCommit = (commit: string) => {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/**
 * Builds the server of an earlier commit, which FROM can name, with the dependencies of this one. Returns the script
 * that runs an instance of it, or undefined if the clone does not have the commit.
 */
export async function buildEarlierRelease(): Promise<string | undefined> {
  const commit = process.env.FROM ?? RELEASE;
  if (!hasCommit(commit)) return undefined;
  const folder = join('node_modules/.cache/releases', commit);
  const script = join(folder, 'test/support/database/rampInstance.mjs');
  // The folder has its own copy of the package, so that the script finds that one instead of the working tree.
  const dist = join(folder, 'node_modules/@partner-ramp/react');
  if (existsSync(join(dist, 'package.json'))) return script;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const archive = execFileSync('git', ['archive', commit, ...PARTS], { maxBuffer: 2 ** 28 });
  execFileSync('tar', ['x', '-C', folder], { input: archive });
  await build({
    configFile: false,
    logLevel: 'error',
    root: folder,
    build: {
      target: 'es2022',
      minify: false,
      emptyOutDir: false,
      outDir: join(process.cwd(), dist),
      lib: {
        entry: Object.fromEntries(
          ENTRIES.map((name) => [name, join(process.cwd(), folder, `src/${name}.ts`)]),
        ),
        formats: ['es'],
      },
      rolldownOptions: { external },
    },
  });
  const exports = { './server': './server/index.js', './server/sql': './server/sql/index.js' };
  const manifest = { name: '@partner-ramp/react', type: 'module', exports };
  writeFileSync(join(dist, 'package.json'), JSON.stringify(manifest));
  return script;
}
