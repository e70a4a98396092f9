import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { root } from '../../support/root.js';

const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

describe('the types of the packed server entries', () => {
  it.each(['tsconfig.express4.json', 'tsconfig.express5.json', 'tsconfig.json'])(
    'compile with %s',
    async (config) => {
      const project = join(root, 'test', 'consumers', 'servers', config);
      const found = await promisify(execFile)(process.execPath, [tsc, '-p', project])
        .then(({ stdout }) => stdout)
        .catch(({ stdout }) => stdout);
      expect(found).toBe('');
    },
  );
});
