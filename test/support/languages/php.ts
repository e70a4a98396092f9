import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Language } from './Language.js';
import { findCommandOutput } from './runCommand.js';

const example = fileURLToPath(new URL('../../../examples/php', import.meta.url));
const here = fileURLToPath(new URL('../../consumers/languages/php', import.meta.url));

export const php: Language = {
  name: 'PHP',
  missing() {
    const found = findCommandOutput('php', [
      '-r',
      'echo PHP_VERSION_ID, extension_loaded("openssl");',
    ]);
    if (found === undefined) return 'php is not installed';
    return Number(found) >= 801_001 ? undefined : 'needs PHP 8.1 or later with openssl';
  },
  checks: [{ command: 'php', args: ['check.php'], cwd: example }],
  signCases: async () => ({ command: 'php', args: ['sign.php', example], cwd: here }),
  backend: async (port, temp) => ({
    command: 'php',
    args: ['-S', `127.0.0.1:${port}`, 'server.php'],
    cwd: example,
    env: { RAMP_CHECKOUTS_DIR: join(temp, 'checkouts') },
  }),
};
