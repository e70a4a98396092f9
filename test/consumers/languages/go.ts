import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Language } from './Language.js';
import { findCommandOutput, runCommand } from './runCommand.js';

const example = fileURLToPath(new URL('../../../examples/go', import.meta.url));
const here = fileURLToPath(new URL('./go', import.meta.url));

/** Makes Go work offline: forbids downloads of modules and of other Go versions. */
const env = { GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local', GOPROXY: 'off' };

/** Builds a program, so that tests can start and stop it directly. A stopped `go run` leaves its program running. */
async function build(cwd: string, program: string): Promise<string> {
  await runCommand({ command: 'go', args: ['build', '-o', program, '.'], cwd, env });
  return program;
}

export const go: Language = {
  name: 'Go',
  example,
  missing() {
    const [, minor] = /go1\.(\d+)/.exec(findCommandOutput('go', ['version']) ?? '') ?? [];
    if (minor === undefined) return 'go is not installed';
    return Number(minor) >= 19 ? undefined : 'needs Go 1.19 or later';
  },
  checks: [{ command: 'go', args: ['vet', './...'], cwd: example, env }],
  signer: async (temp) => ({
    command: await build(here, join(temp, 'sign-cases')),
    args: [],
    cwd: here,
  }),
  backend: async (port, temp, folder) => ({
    command: await build(folder, join(temp, 'backend')),
    args: [],
    cwd: folder,
    env: { PORT: `${port}` },
  }),
};
