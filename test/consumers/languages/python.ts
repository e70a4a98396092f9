import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Language } from './Language.js';
import { findCommandOutput } from './runCommand.js';

const example = fileURLToPath(new URL('../../../examples/python', import.meta.url));
const here = fileURLToPath(new URL('./python', import.meta.url));

/** Keeps compiled modules out of the example. */
const env = { PYTHONDONTWRITEBYTECODE: '1' };

export const python: Language = {
  name: 'Python',
  example,
  missing() {
    const version = findCommandOutput('python3', ['-c', 'import sys; print(sys.version_info[1])']);
    if (version === undefined) return 'python3 is not installed';
    if (findCommandOutput('openssl', ['version']) === undefined) return 'openssl is not installed';
    return Number(version) >= 9 ? undefined : 'needs Python 3.9 or later';
  },
  checks: [],
  signer: async () => ({ command: 'python3', args: ['sign.py', example], cwd: here, env }),
  backend: async (port, temp, folder) => ({
    command: 'python3',
    args: ['server.py'],
    cwd: folder,
    env: { ...env, PORT: `${port}`, RAMP_DATABASE: join(temp, 'ramp.sqlite') },
  }),
};
