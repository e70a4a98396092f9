import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { findFreePort } from '../../scripts/ports.mjs';
import { conformance } from '../../src/cli/conformance.js';
import { doctor } from '../../src/cli/doctor.js';
import { explain } from '../../src/cli/explain.js';
import { keys } from '../../src/cli/keys.js';
import { runCli } from '../../src/cli/runCli.js';
import { sandbox } from '../../src/cli/sandbox.js';
import { buildWidgetUrl } from '../../src/protocol/widget/buildWidgetUrl.js';
import { createPartnerApi, createWidgetSigner } from '../../src/server/index.js';
import { fakeCommandIo } from './fakeCommandIo.js';

const commands = {
  sandbox: async () => sandbox,
  explain: async () => explain,
  keys: async () => keys,
  doctor: async () => doctor,
  conformance: async () => conformance,
};
const names = Object.keys(commands);

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const createFolder = () => mkdtempSync(join(tmpdir(), 'partner-ramp-canary-'));

/** A secret in each variable that the commands read, and in those of other programs. */
const canaries = {
  RAMP_SECRET_KEY: 'canary-secret-key',
  RAMP_SECRET_KEY_STAGING: 'canary-other-key',
  RAMP_API_PRIVATE_KEY: pem,
  DATABASE_URL: 'postgres://shop:canary-password@127.0.0.1:1/shop',
  VITE_RAMP_SECRET_KEY: 'canary-in-the-bundle',
  SESSION_SECRET: 'canary-session',
  GITHUB_TOKEN: 'canary-token',
};

/** Returns the canaries that a text has, as written, quoted, or encoded. */
function findSecrets(text: string): string[] {
  const body = pem.split('\n').slice(1, -2);
  const words = ['canary-', ...body, Buffer.from('canary-secret-key').toString('base64')];
  return words.filter((word) => text.includes(word) || text.includes(encodeURIComponent(word)));
}

/** All files below a folder, as one text. */
const readAll = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');

async function run(args: readonly string[], io: Parameters<typeof fakeCommandIo>[0] = {}) {
  const fake = fakeCommandIo({ cwd: createFolder(), env: canaries, ...io });
  const code = await runCli(commands, args, fake);
  return { code, output: fake.output(), cwd: fake.cwd };
}

/** The addresses of a sandbox whose keys the canaries are not, so that the commands have much to say about them. */
let service: Record<string, string>;
beforeAll(async () => {
  const interrupted = new AbortController();
  const io = fakeCommandIo({ signal: interrupted.signal, cwd: createFolder(), env: {} });
  const ended = runCli(commands, ['sandbox', '--port', '0'], io);
  await vi.waitUntil(() => io.output().includes('RAMP_API_URL'), 30_000);
  const read = (name: string) => new RegExp(`^${name}="?([^"\n]*)`, 'm').exec(io.output())?.[1];
  service = Object.fromEntries(
    ['RAMP_API_URL', 'RAMP_WIDGET_URL', 'RAMP_PARTNER_ID'].map((name) => [name, read(name) ?? '']),
  );
  return async () => {
    interrupted.abort();
    await ended;
  };
});

describe('a secret', () => {
  it.each(names)('that %s gets as an argument is not repeated', async (name) => {
    for (const args of [
      ['canary-secret-key'],
      ['--secret-key', 'canary-secret-key'],
      ['--secret-key=canary-secret-key'],
      ['--RAMP_SECRET_KEY=canary-secret-key'],
      ['--url', 'http://127.0.0.1', 'canary-secret-key'],
    ]) {
      const { code, output } = await run([name, ...args]);
      expect([name, args, findSecrets(output)]).toEqual([name, args, []]);
      expect(code).toBe(2);
    }
  });

  it('of the environment is neither printed nor logged nor written by a sandbox', async () => {
    const interrupted = new AbortController();
    const cwd = createFolder();
    const io = fakeCommandIo({ signal: interrupted.signal, cwd, env: canaries });
    const options = ['--port', '0', '--write-env', '.env', '--state', 'state'];
    const ended = runCli(commands, ['sandbox', ...options], io);
    await vi.waitUntil(() => io.output().includes('Ctrl-C'), 30_000);
    const written = readFileSync(join(cwd, '.env'), 'utf8');
    const widgetUrl = /^RAMP_WIDGET_URL="?([^"\n]*)/m.exec(written)?.[1] ?? '';
    // The service refuses both, and logs why.
    const { params } = createWidgetSigner({
      partnerId: 'canary-partner',
      secretKey: canaries.RAMP_SECRET_KEY,
    }).sign('on-ramp', { walletAddress: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e' });
    expect((await fetch(buildWidgetUrl(widgetUrl, params))).ok).toBe(false);
    const api = createPartnerApi({ baseUrl: widgetUrl, partnerId: 'p1', privateKey: pem });
    await expect(api.fiatCurrencies()).rejects.toThrow();
    interrupted.abort();
    expect(await ended).toBe(0);
    // The partner ID is no secret.
    expect(findSecrets(io.output().replaceAll('canary-partner', ''))).toEqual([]);
    expect(findSecrets(readAll(cwd).replaceAll('canary-partner', ''))).toEqual([]);
    // With a file for its own keys, the sandbox does not print those either.
    const own = /^RAMP_SECRET_KEY="?([^"\n]*)/m.exec(written)?.[1] as string;
    expect(own.length).toBeGreaterThan(20);
    expect(io.output()).not.toContain(own);
    expect(io.output()).not.toContain(params.signature);
  });

  it('that keys creates is in its file only', async () => {
    const cwd = createFolder();
    mkdirSync(join(cwd, 'out'));
    const { code, output } = await run(['keys', '--out', 'out'], { cwd });
    expect(code).toBe(0);
    expect(findSecrets(output + readAll(cwd))).toEqual([]);
    expect(output).not.toContain(readFileSync(join(cwd, 'out', 'secret-key.txt'), 'utf8'));
    expect(output).not.toContain('PRIVATE KEY');
  });

  it.each([
    ['as it is', (value: string) => value],
    ['in quotation marks', (value: string) => `"${value}"`],
    ['cut off', (value: string) => value.slice(0, value.length - 40)],
    ['with spaces around it', (value: string) => ` ${value} `],
  ])('that doctor reads %s is not printed', async (_, change) => {
    const env = Object.fromEntries(
      Object.entries(canaries).map(([name, value]) => [name, change(value)]),
    );
    for (const args of [[], ['--json']]) {
      const { output, cwd } = await run(['doctor', ...args], { env: { ...service, ...env } });
      expect(findSecrets(output)).toEqual([]);
      expect(readAll(cwd)).toBe('');
    }
  });

  it('that explain tries is not printed, whether the message fits it or not', async () => {
    const signer = createWidgetSigner({ partnerId: 'p1', secretKey: canaries.RAMP_SECRET_KEY });
    const { params } = signer.sign('on-ramp', { walletAddress: '0xF0' });
    const url = buildWidgetUrl('https://pay.example', params);
    for (const input of [url, url.replace('0xF0', '0xF1'), 'canary-secret-key', pem]) {
      const { output } = await run(['explain'], { input });
      expect(findSecrets(output)).toEqual([]);
    }
  });

  it('is not printed by conformance, also if the backend fails with it', async () => {
    const cwd = createFolder();
    const shoppers = join(cwd, 'shoppers.json');
    writeFileSync(shoppers, '[{ "Cookie": "session=canary-session" }]');
    const backend = join(cwd, 'backend.mjs');
    writeFileSync(
      backend,
      `import { createServer } from 'node:http';
createServer((request, response) => {
  response.writeHead(500, { 'x-error': 'canary-secret-key' });
  response.end(JSON.stringify({ error: { code: 'canary-secret-key', message: request.headers.cookie ?? 'canary' } }));
}).listen(process.env.PORT, '127.0.0.1');\n`,
    );
    const url = `http://127.0.0.1:${await findFreePort()}/api/ramp`;
    const { code, output } = await run(
      ['conformance', '--url', url, '--headers', shoppers, '--', process.execPath, backend],
      { cwd, env: { ...process.env, ...canaries, NODE_ENV: 'development' } },
    );
    expect(code).toBe(1);
    expect(output).toMatch(/^FAIL /m);
    expect(findSecrets(output)).toEqual([]);
  });
});
