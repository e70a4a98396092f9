import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runNode } from '../support/packaging/runNode.js';
import { root } from '../support/root.js';

const cwd = mkdtempSync(join(tmpdir(), 'ramp-command-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

// Node.js 20 takes some options for itself, wherever they stand, so only a real process shows that the command gets them.
it('partner-ramp sandbox writes a .env file that does not exist yet, and starts a command', async () => {
  const command = [process.execPath, '-p', 'process.env.RAMP_PARTNER_ID'];
  const options = ['--port', '0', '--state', 'state', '--write-env', '.env', '--', ...command];
  const output = await runNode([join(root, 'dist/cli/index.js'), 'sandbox', ...options], {
    cwd,
    env: { ...process.env, NODE_ENV: 'development' },
  });
  const [, partnerId] =
    /^RAMP_PARTNER_ID="?(\w+)/m.exec(readFileSync(join(cwd, '.env'), 'utf8')) ?? [];
  expect(partnerId).toHaveLength(16);
  expect(output).toContain(`\n${partnerId}\n`);
});
