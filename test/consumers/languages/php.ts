import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Language } from './Language.js';
import { findCommandOutput } from './runCommand.js';

const example = fileURLToPath(new URL('../../../examples/php', import.meta.url));
const here = fileURLToPath(new URL('./php', import.meta.url));

/** Stops both processes of the backend with their shell. */
const stop = "trap 'kill $orders $server' TERM INT; wait";

export const php: Language = {
  name: 'PHP',
  example,
  missing() {
    const found = findCommandOutput('php', [
      '-r',
      'echo PHP_VERSION_ID, extension_loaded("openssl") && extension_loaded("pdo_sqlite");',
    ]);
    if (found === undefined) return 'php is not installed';
    return Number(found) >= 801_001
      ? undefined
      : 'needs PHP 8.1 or later with openssl and pdo_sqlite';
  },
  checks: [],
  signer: async () => ({ command: 'php', args: ['sign.php', example], cwd: here }),
  backend: async (port, temp, folder) => ({
    command: 'sh',
    args: [
      '-c',
      `php orders.php & orders=$!; php -S 127.0.0.1:${port} server.php & server=$!; ${stop}`,
    ],
    cwd: folder,
    env: { RAMP_DATABASE: join(temp, 'ramp.sqlite') },
  }),
};
