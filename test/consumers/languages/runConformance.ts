import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../../scripts/ports.mjs';
import type { Language } from './Language.js';
import { runCommand } from './runCommand.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Runs the built `partner-ramp conformance` against an example backend. Returns its output and exit code.
 *
 * @param folder - The example, or a copy of it.
 */
export async function runConformance(
  language: Language,
  folder: string,
  options: readonly string[] = [],
): Promise<{ output: string; code: number }> {
  const temp = mkdtempSync(join(tmpdir(), 'ramp-conformance-'));
  const port = await findFreePort();
  const { command, args, cwd, env } = await language.backend(port, temp, folder);
  try {
    const output = await runCommand({
      command: process.execPath,
      args: [
        ...[join(root, 'dist/cli/index.js'), 'conformance'],
        ...['--url', `http://127.0.0.1:${port}/api/ramp`],
        ...['--headers', join(root, 'examples/shoppers.json')],
        ...[...options, '--', command, ...args],
      ],
      cwd,
      // The project of the tests sets NODE_ENV to production, in which the sandbox refuses to run.
      env: { ...env, NODE_ENV: 'development' },
    });
    return { output, code: 0 };
  } catch (error) {
    return { output: (error as Error).message, code: 1 };
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
}
