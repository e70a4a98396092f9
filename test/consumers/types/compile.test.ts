import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runNode } from '../../support/packaging/runNode.js';

const folder = fileURLToPath(new URL('.', import.meta.url));

const resolutions = {
  nodenext: ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
  node16: ['--module', 'node16', '--moduleResolution', 'node16'],
  bundler: ['--module', 'esnext', '--moduleResolution', 'bundler'],
  // The declarations of zod need esModuleInterop with node10. TypeScript 6 deprecates node10, and 7 removed it.
  node10: ['--module', 'commonjs', '--moduleResolution', 'node10', '--esModuleInterop'],
} as const;

type Resolution = keyof typeof resolutions;
const modern: Resolution[] = ['nodenext', 'node16', 'bundler'];
const all: Resolution[] = [...modern, 'node10'];

const matrix: [string, Resolution[]][] = [
  ['5.4', all],
  ['5.7', all],
  ['5.9', all],
  ['6.0', modern],
  ['7.0', modern],
];

describe.each(matrix)('TypeScript %s', (version, names) => {
  // This folder's tsconfig.json disables skipLibCheck, so tsc also checks the package's declaration files.
  test.each(names)('compiles a page and a backend with module resolution %s', async (name) => {
    const tsc = `node_modules/typescript-${version}/bin/tsc`;
    const printed = await runNode([tsc, '-p', '.', ...resolutions[name]], { cwd: folder });
    expect(printed).toBe('');
  });
});
