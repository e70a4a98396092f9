import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { findFreePort } from '../../scripts/ports.mjs';
import type { CommandIo } from '../../src/cli/Command.js';
import { runCli } from '../../src/cli/runCli.js';
import { sandbox } from '../../src/cli/sandbox.js';
import { createPartnerApi } from '../../src/server/index.js';
import { testRuntime } from '../support/server/testRuntime.js';
import { fakeCommandIo } from './fakeCommandIo.js';

const createFolder = () => mkdtempSync(join(tmpdir(), 'partner-ramp-sandbox-'));
const commands = { sandbox: async () => sandbox };
const secrets = ['RAMP_SECRET_KEY', 'RAMP_API_PRIVATE_KEY'];
type Variables = Record<string, string>;

let stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops) await stop();
  stops = [];
});

const run = async (args: string[], io: Partial<CommandIo> = {}) => {
  const fake = fakeCommandIo({ cwd: createFolder(), ...io });
  return { code: await runCli(commands, ['sandbox', ...args], fake), output: fake.output() };
};

/** Starts the command on a free port. `stop()` interrupts it, and resolves with its exit code. */
async function start(args: string[] = [], cwd = createFolder()) {
  const interrupted = new AbortController();
  const io = fakeCommandIo({ signal: interrupted.signal, cwd });
  const ended = runCli(commands, ['sandbox', '--port', '0', ...args], io);
  const stop = () => {
    interrupted.abort();
    return ended;
  };
  stops.push(stop);
  await Promise.race([ended, vi.waitUntil(() => io.output().includes('Ctrl-C'), 30_000)]);
  const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(io.output())?.[1];
  const printed = () => {
    const [, block = ''] = io.output().split('Set these variables for your backend:\n');
    return parseEnv(block) as Variables;
  };
  return { cwd, output: io.output, stop, port, printed };
}

const createApi = (variables: Variables) =>
  createPartnerApi({
    baseUrl: variables.RAMP_API_URL ?? '',
    partnerId: variables.RAMP_PARTNER_ID ?? '',
    privateKey: variables.RAMP_API_PRIVATE_KEY,
  });

describe('partner-ramp sandbox', () => {
  it('prints variables with which a backend works, and stops when it is interrupted', async () => {
    const { printed, stop } = await start(['--webhook-url', 'http://127.0.0.1:3000/hook']);
    const variables = printed();
    for (const name of ['node-servers', 'next']) {
      const documented = parseEnv(readFileSync(`examples/${name}/.env.example`, 'utf8'));
      const names = Object.keys(documented).filter((each) => /^(VITE_)?RAMP_/.test(each));
      expect(Object.keys(variables)).toEqual(expect.arrayContaining(names));
    }
    expect(await createApi(variables).fiatCurrencies()).toHaveLength(8);
    expect(await stop()).toBe(0);
    await expect(fetch(variables.RAMP_API_URL ?? '')).rejects.toThrow();
  });

  it('names every option in its help', async () => {
    const { output } = await run(['--help']);
    for (const name of [
      ...['port', 'host', 'webhook-url', 'console-port', 'allow-host'],
      ...['write-env', 'state', 'seed', 'clock'],
      ...['latency-ms', 'api-fault', 'webhook-fault', 'fault-rate', 'quirks'],
    ])
      expect(output).toContain(`--${name} `);
  });

  it('refuses NODE_ENV=production, and creates no state', async () => {
    const cwd = createFolder();
    const env = { NODE_ENV: 'production' };
    const { code, output } = await run(['--state', 's', '--write-env', '.env'], { env, cwd });
    expect(code).toBe(1);
    expect(output).toMatch(/^ERR_CONFIG_INVALID: .*NODE_ENV=production/);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it.each([
    [['--host', '0.0.0.0'], 'loopback'],
    [['--host', '192.168.1.5'], 'loopback'],
    [['--webhook-url', 'https://shop.example/hook'], 'loopback'],
    [['--webhook-url', 'http://10.0.0.1/hook'], 'loopback'],
    [['--webhook-url', 'http://127.0.0.1/a\nB=1'], '--webhook-url expects'],
    [['--webhook-url', 'http://127.0.0.1/$HOME'], '--webhook-url expects'],
    [['--port', 'x'], '--port expects a number.'],
    [['--port', '70000'], 'to 65535 as port'],
    [['--latency-ms', '-5'], '--latency-ms'],
    [['--latency-ms', 'slow'], '--latency-ms expects a number.'],
    [['--fault-rate', '2'], 'from 0 to 1'],
    [['--api-fault', 'lost'], '--api-fault expects one of timeout'],
    [['--webhook-fault', 'slow'], '--webhook-fault expects one of lost'],
    [['--quirks', 'codeAsText,other'], '--quirks expects one of codeAsText'],
    [['--clock', 'yesterday'], '--clock expects a time with its zone'],
    [['--clock', '2026-01-31T12:00:00'], '--clock expects a time with its zone'],
    [['--clock', '2026-13-31T12:00:00Z'], '--clock expects a time with its zone'],
    [['--seed', ''], '1 to 200 characters'],
    [['--unknown', 'x'], "Unknown option '--unknown'"],
    [['node', 'server.js'], 'Write -- before a command.'],
  ])('refuses %j', async (args, message) => {
    const { code, output } = await run(args);
    expect(output).toContain(message);
    expect(code).toBe(2);
  });

  it('names a port that is in use', async () => {
    const { port = '' } = await start();
    const { code, output } = await run(['--port', port]);
    expect(code).toBe(1);
    expect(output).toContain(`port ${port} on 127.0.0.1 is in use`);
  });
});

describe('--write-env', () => {
  it('writes the variables to the file, and prints no secret', async () => {
    const cwd = createFolder();
    writeFileSync(join(cwd, '.env'), 'OTHER=1\n');
    const { output, stop } = await start(['--write-env', '.env'], cwd);
    const variables = parseEnv(readFileSync(join(cwd, '.env'), 'utf8')) as Variables;
    expect(variables.OTHER).toBe('1');
    expect(await createApi(variables).fiatCurrencies()).toHaveLength(8);
    expect(output()).toContain('Wrote 7 variables to .env.\n');
    await stop();
    for (const name of secrets) expect(output()).not.toContain(variables[name]);
    expect(output()).not.toContain('PRIVATE KEY');
  });

  it('stops the sandbox if the file cannot be written', async () => {
    const port = String(await findFreePort());
    const { code, output } = await run(['--port', port, '--write-env', 'missing/.env']);
    expect(code).toBe(1);
    expect(output).toContain('ENOENT');
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
  });
});

describe('--state', () => {
  it('keeps the keys in a private folder', async () => {
    const first = await start(['--state', 'state']);
    const { RAMP_API_URL: _, ...before } = first.printed();
    await first.stop();
    const second = await start(['--state', 'state'], first.cwd);
    for (const name of ['RAMP_PARTNER_ID', 'RAMP_WEBHOOK_PUBLIC_KEY', ...secrets])
      expect(second.printed()[name]).toBe(before[name]);
    if (process.platform !== 'win32')
      expect(statSync(join(first.cwd, 'state')).mode & 0o777).toBe(0o700);
  });

  it('with --seed and --clock gives equal quotes, also from a copy', async () => {
    const options = ['--seed', 's', '--clock', '2026-01-31T12:00:00Z', '--state', 'state'];
    const first = await start(options);
    const folder = createFolder();
    cpSync(join(first.cwd, 'state'), join(folder, 'state'), { recursive: true });
    const second = await start(options, folder);
    const now = () => Date.parse('2026-01-31T12:00:00Z');
    const [one, other] = await Promise.all(
      [first, second].map(({ printed }) => {
        const { RAMP_API_URL: baseUrl = '', RAMP_PARTNER_ID: partnerId = '' } = printed();
        const privateKey = printed().RAMP_API_PRIVATE_KEY;
        return createPartnerApi({ baseUrl, partnerId, privateKey }, testRuntime({ now })).quote({
          ...{ fiatCurrency: 'USD', currencyAmount: '100', cryptoCurrencyCode: 'ETH' },
        });
      }),
    );
    expect(one?.cryptoCurrencyAmount).toMatch(/^0\.03/);
    expect(other?.cryptoCurrencyAmount).toBe(one?.cryptoCurrencyAmount);
    expect(first.output()).toContain('Its clock stands still');
  });
});

describe('faults', () => {
  it.each([
    [['--api-fault', 'error'], 'ERR_API_RESPONSE'],
    [['--api-fault', 'error', '--fault-rate', '0'], 'success'],
    [['--quirks', 'codeAsText,decimalsAsText'], 'success'],
    [['--quirks', 'all'], 'success'],
  ])('%j reach the sandbox', async (args, outcome) => {
    const { printed } = await start(args);
    const result = createApi(printed()).fiatCurrencies();
    expect(
      await result.then(
        () => 'success',
        ({ code }) => code,
      ),
    ).toBe(outcome);
    if (args[0] !== '--quirks') return;
    const response = await fetch(`${printed().RAMP_API_URL}/open/api/onramp/currency`);
    expect(await response.text()).toContain('"code":"10003"');
  });
});

describe('-- COMMAND', () => {
  const node = (script: string) => ['--', process.execPath, '-e', script];

  it('runs it with the variables, prints none, and passes its exit code on', async () => {
    const cwd = createFolder();
    const script = `
      const { RAMP_SECRET_KEY, RAMP_WIDGET_URL } = process.env;
      require('fs').writeFileSync('seen.json', JSON.stringify({ RAMP_SECRET_KEY, RAMP_WIDGET_URL }));
      process.exit(7);`;
    const { code, output } = await run(['--port', '0', ...node(script)], { cwd });
    expect(code).toBe(7);
    const seen = JSON.parse(readFileSync(join(cwd, 'seen.json'), 'utf8'));
    expect(seen.RAMP_SECRET_KEY).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(output).toContain(seen.RAMP_WIDGET_URL);
    expect(output).not.toContain(seen.RAMP_SECRET_KEY);
    await expect(fetch(seen.RAMP_WIDGET_URL)).rejects.toThrow();
  });

  it('stops it when it is interrupted', async () => {
    const script = "require('fs').writeFileSync('started', ''); setInterval(() => {}, 1000)";
    const { cwd, stop } = await start(node(script));
    await vi.waitUntil(() => existsSync(join(cwd, 'started')), 30_000);
    expect(await stop()).toBe(0);
  });

  it('names a command that does not exist', async () => {
    const { code, output } = await run(['--port', '0', '--', 'no-such-command']);
    expect([code, output]).toEqual([2, expect.stringContaining('"no-such-command" was not found')]);
  });

  it('leaves --help behind -- to the command', async () => {
    const { code, output } = await run(['--port', '0', ...node(''), '--', '--help']);
    expect([code, output]).toEqual([0, expect.not.stringContaining('Usage: npx')]);
  });
});
