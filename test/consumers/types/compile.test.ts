import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runNode } from '../../support/packaging/runNode.js';

const folder = fileURLToPath(new URL('.', import.meta.url));

const resolutions = {
  nodenext: ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
  node16: ['--module', 'node16', '--moduleResolution', 'node16'],
  bundler: ['--module', 'esnext', '--moduleResolution', 'bundler'],
} as const;

const versions = ['5.4', '5.9', '7.0'];

describe.each(versions)('TypeScript %s', (version) => {
  // This folder's tsconfig.json disables skipLibCheck, so tsc also checks the package's declaration files.
  test.each(Object.entries(resolutions))(
    'compiles a page and a backend with module resolution %s',
    async (_, options) => {
      const tsc = `node_modules/typescript-${version}/bin/tsc`;
      const printed = await runNode([tsc, '-p', '.', ...options], { cwd: folder });
      expect(printed).toBe('');
    },
  );
});
