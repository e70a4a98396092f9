import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { findFreePort } from '../../scripts/ports.mjs';
import { createConsoleClient } from '../support/sandbox/createConsoleClient.js';

const entry = resolve('dist/cli/index.js');
const createFolder = () => mkdtempSync(join(tmpdir(), 'partner-ramp-process-'));
const START_MS = 30_000;

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) await end(child, 'SIGKILL');
});

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null;

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Starts the built command as a process, and waits until it has printed its variables or has ended. */
async function start(args: readonly string[], cwd: string) {
  const child = spawn(process.execPath, [entry, 'sandbox', '--port', '0', ...args], {
    cwd,
    env: { ...process.env, NODE_ENV: 'development' },
  });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const closed = once(child, 'close');
  const isReady = () => /^RAMP_WEBHOOK_PUBLIC_KEY=.*\n/m.test(output);
  await Promise.race([closed, vi.waitUntil(isReady, START_MS)]);
  const [, block = ''] = output.split('Set these variables for your backend:\n');
  return {
    pid: child.pid,
    isRunning: !hasEnded(child),
    code: child.exitCode,
    output,
    variables: parseEnv(block),
    send: (signal: NodeJS.Signals) => child.kill(signal),
    end: (signal: NodeJS.Signals) => end(child, signal),
  };
}

const state = ['--state', 'state'];
const listFiles = (cwd: string) => readdirSync(join(cwd, 'state')).sort();
const lockOf = (pid: number | undefined) =>
  expect.stringMatching(new RegExp(`^sandbox\\.${pid}-.*\\.lock$`));

describe('two sandboxes with one --state', () => {
  it('refuses the second one, and says which process uses the folder', async () => {
    const cwd = createFolder();
    const first = await start(state, cwd);
    const files = listFiles(cwd);
    const second = await start(state, cwd);
    expect(second.output).toMatch(
      `state is in use by the sandbox of process ${first.pid}, and two would damage the orders. Stop that one, or set another folder as state.`,
    );
    expect(second.code).toBe(1);
    expect(listFiles(cwd)).toEqual(files);
  });

  it('lets the second one in when the first one has stopped', async () => {
    const cwd = createFolder();
    const first = await start(state, cwd);
    await first.end('SIGTERM');
    expect(listFiles(cwd)).toEqual(['keys.json']);
    const second = await start(state, cwd);
    expect(second.variables.RAMP_SECRET_KEY).toBe(first.variables.RAMP_SECRET_KEY);
  });

  it('lets the second one in when the first one was killed', async () => {
    const cwd = createFolder();
    const first = await start(state, cwd);
    await first.end('SIGKILL');
    expect(listFiles(cwd)).toEqual(['keys.json', lockOf(first.pid)]);
    const second = await start(state, cwd);
    expect(second.variables.RAMP_SECRET_KEY).toBe(first.variables.RAMP_SECRET_KEY);
    expect(listFiles(cwd)).toEqual(['keys.json', lockOf(second.pid)]);
  });

  it.skipIf(process.platform === 'win32')(
    'refuses the second one while the first one is suspended',
    async () => {
      const cwd = createFolder();
      const first = await start(state, cwd);
      first.send('SIGSTOP');
      const second = await start(state, cwd);
      expect(second.output).toContain(`in use by the sandbox of process ${first.pid}`);
      expect(second.code).toBe(1);
    },
  );

  it('lets at most one in when both start at the same time', async () => {
    const cwd = createFolder();
    const both = await Promise.all([start(state, cwd), start(state, cwd)]);
    expect(both.filter(({ isRunning }) => isRunning).length).toBeLessThanOrEqual(1);
    for (const { isRunning, output } of both)
      if (!isRunning) expect(output).toContain('is in use by the sandbox of process');
  });
});

const readConsoleUrl = (output: string) => /^Its console is (http:\S+)\.$/m.exec(output)?.[1];

/** Opens the console with its own Host, and with others. */
async function openConsole(output: string, hosts: readonly string[]) {
  const consoleUrl = readConsoleUrl(output);
  const { send, host, page } = await createConsoleClient({ consoleUrl });
  const statuses = await Promise.all(
    [host, ...hosts].map(async (Host) => (await send('GET', '/', { Host })).status),
  );
  return { page: page.text, port: host.replace(/.*:/, ''), statuses };
}

describe('--console-port', () => {
  it('runs the console on that port until the command is stopped', async () => {
    const consolePort = await findFreePort();
    const {
      output,
      variables,
      end: stop,
    } = await start(['--console-port', `${consolePort}`], createFolder());
    const { page, port, statuses } = await openConsole(output, ['sandbox.internal:4011']);
    expect(port).toBe(`${consolePort}`);
    expect(page).toContain(variables.RAMP_WIDGET_URL);
    expect(statuses).toEqual([200, 421]);
    await stop('SIGTERM');
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  it('shows a request that the service refused', async () => {
    const { output, variables } = await start(['--console-port', '0'], createFolder());
    await fetch(`${variables.RAMP_API_URL}/open/api/onramp/currency`);
    const { get } = await createConsoleClient({ consoleUrl: readConsoleUrl(output) });
    expect(await get('/state')).toMatchObject({ entries: [{ kind: 'api-request' }], orders: [] });
  });

  it('starts nothing when the port is in use', async () => {
    const first = await start(['--console-port', '0'], createFolder());
    const { port } = await openConsole(first.output, []);
    const cwd = createFolder();
    const second = await start([...state, '--console-port', port], cwd);
    expect(second.output).toContain(`port ${port} on 127.0.0.1 is in use by another program`);
    expect(second.code).toBe(1);
    expect(listFiles(cwd)).toEqual(['keys.json']);
  });
});

describe('--allow-host', () => {
  it('serves the console under each of these names, and under no other', async () => {
    const names = ['sandbox.internal:4011', '4011-shop.codespace.example'];
    const { output } = await start(
      ['--console-port', '0', ...names.flatMap((name) => ['--allow-host', name])],
      createFolder(),
    );
    const { statuses } = await openConsole(output, [...names, 'sandbox.internal:4012']);
    expect(statuses).toEqual([200, 200, 200, 421]);
  });

  it('refuses a URL', async () => {
    const { code, output } = await start(['--allow-host', 'http://a.example/'], createFolder());
    expect(output).toContain('expects a list of host names');
    expect(code).toBe(2);
  });
});
