import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../../scripts/ports.mjs';
import { doctor } from '../../src/cli/doctor.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.js';
import { memoryOrderStore } from '../../src/server/index.js';
import { testRuntime } from '../support/server/testRuntime.js';
import { printDoctor, runDoctor } from './runDoctor.js';
import { type DoctorShop, PAGE, startDoctorShop } from './startDoctorShop.js';

let sandbox: Sandbox;
let shop: DoctorShop;
const opened: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ log() {} });
  shop = await startDoctorShop(sandbox, memoryOrderStore());
});
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});
afterAll(async () => {
  await shop.close();
  await sandbox.close();
});

/** Starts a server on loopback, and returns its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  opened.push(
    () =>
      new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const respond =
  (status: number, headers: Record<string, string> = {}, body = ''): RequestListener =>
  (_, res) =>
    void res.writeHead(status, headers).end(body);

/** Runs the command, and returns the findings of one check. */
async function find(
  check: string,
  env: Readonly<Record<string, string | undefined>>,
  args?: readonly string[],
  options?: Parameters<typeof runDoctor>[2],
) {
  const { findings } = await runDoctor(env, args, options);
  return findings.filter((finding) => finding.check === check);
}

describe('arguments of doctor', () => {
  it.each([
    [['--page', PAGE], '--page needs --backend URL'],
    [['--backend', 'shop.example'], '--backend must be an https: address'],
    [
      ['--backend', 'https://shop.example', '--page', `${PAGE}/shop`],
      'Write it as https://shop.example, without a path',
    ],
    [['--env-file', 'missing.env'], '--env-file missing.env cannot be read (ENOENT)'],
    [['--loud'], "Unknown option '--loud'"],
  ])('refuses %j', async (args, text) => {
    const { code, output } = await printDoctor({}, args);
    expect(code).toBe(2);
    expect(output).toContain(text);
  });

  it.each([[['canary-secret-key']], [['--secret-key=canary-secret-key']]])(
    'does not repeat %j, which may be a secret',
    async (args) => {
      const { code, output } = await printDoctor({}, args);
      expect(code).toBe(2);
      expect(output).not.toContain('canary');
    },
  );

  it('reads variables from a file, and prefers those of the environment', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'partner-ramp-doctor-')), '.env');
    const lines = Object.entries({ ...shop.env, RAMP_PARTNER_ID: 'of-the-file' });
    const text = lines.map(([name, value]) => `${name}="${value.replaceAll('\n', '\\n')}"\n`);
    const { RAMP_PARTNER_ID } = shop.env;
    // Editors on Windows begin a file with a byte order mark.
    for (const mark of ['', '\uFEFF']) {
      writeFileSync(file, `${mark}${text.join('')}`);
      const [environment, keys] = await Promise.all(
        ['environment', 'keys'].map(
          async (id) => (await find(id, { RAMP_PARTNER_ID }, ['--env-file', file]))[0],
        ),
      );
      expect([environment?.status, keys?.status]).toEqual(['ok', 'ok']);
    }
  });
});

describe('output of doctor', () => {
  it('has one line for each finding, and their numbers', async () => {
    const { output } = await printDoctor(shop.env, ['--backend', shop.backend]);
    const lines = output.trimEnd().split('\n');
    expect(lines.slice(0, -2)).toHaveLength(13);
    for (const line of lines.slice(0, -2))
      expect(line).toMatch(/^(?:ok|warning|problem|skipped) +[a-z]+ +\S.*\.$/);
    expect(lines.at(-1)).toMatch(/^[1-9] problems?, \d warnings?\.$/);
  });

  it('gives every warning and every problem a cure', async () => {
    const { findings } = await runDoctor({ SHOP_ORIGIN: '*', RAMP_PARTNER_ID: 'a b' });
    const bad = findings.filter(({ status }) => status === 'warning' || status === 'problem');
    expect(bad.length).toBeGreaterThan(5);
    for (const { cure } of bad) expect(cure).toMatch(/^[A-Z].*\.$/);
  });

  it('replaces a secret that a message quotes', async () => {
    const service = await serve(
      respond(
        200,
        { 'content-type': 'application/json' },
        JSON.stringify({ code: 10009, msg: `refused ${sandbox.secretKey}`, data: null }),
      ),
    );
    const { output } = await printDoctor({ ...shop.env, RAMP_API_URL: service });
    expect(output).toContain('refused [secret]');
    expect(output).not.toContain(sandbox.secretKey);
  });

  it('documents its options and exit codes', () => {
    for (const text of ['--backend', '--page', '--env-file', '--json', 'Exit code'])
      expect(doctor.help).toContain(text);
  });
});

describe('variables of a shop', () => {
  it('are all named when they are missing', async () => {
    const findings = await find('environment', {});
    const text = findings.map(({ message }) => message).join(' ');
    for (const name of Object.keys(shop.env).filter((each) => each !== 'SHOP_ORIGIN'))
      expect(text).toContain(name);
    expect(findings.filter(({ status }) => status === 'problem')).toHaveLength(4);
  });

  const pem = () => sandbox.apiPrivateKey;
  it.each([
    ['a key between quotes', () => `"${pem()}"`, 'has quotation marks around it'],
    ['the first line of a key', () => pem().split('\n')[0], 'its END line is missing'],
    [
      'a key without its middle',
      () => pem().replace(/\n.{64}\n.{64}/, ''),
      'a part of it is missing',
    ],
    ['a key without line breaks', () => pem().replaceAll('\n', ''), 'line breaks are missing'],
    ['a public key', () => sandbox.webhookPublicKey, 'is a public key: pass the private key'],
  ])('are refused for %s', async (_, value, text) => {
    const [finding] = await find('environment', { ...shop.env, RAMP_API_PRIVATE_KEY: value() });
    expect(finding).toMatchObject({ status: 'problem' });
    expect(finding?.message).toContain('RAMP_API_PRIVATE_KEY');
    expect(finding?.message).toContain(text);
  });

  it('cause a warning for \\n in place of line breaks, which some servers replace', async () => {
    const RAMP_API_PRIVATE_KEY = pem().replaceAll('\n', '\\n');
    const { findings, warnings } = await runDoctor({ ...shop.env, RAMP_API_PRIVATE_KEY });
    expect(warnings).toEqual(['environment']);
    expect(findings.find(({ check }) => check === 'keys')?.status).toBe('ok');
  });

  it.each([
    ['RAMP_API_URL', 'http://api.example', 'must be an https: address'],
    ['RAMP_API_URL', 'https://api.example/open/api', 'ends with /open/api.'],
    ['RAMP_WIDGET_URL', 'https://pay.example/home', 'ends with /home.'],
    ['RAMP_WIDGET_URL', 'https://pay.example', 'RAMP_API_URL is on this machine, and'],
    ['RAMP_SECRET_KEY', ' key-with-space ', 'has white space around it.'],
    ['RAMP_PARTNER_ID', 'a b', 'must be letters, digits, dot, dash or underscore.'],
    ['SHOP_ORIGIN', 'https://shop.example/, *', 'Entry 1 of SHOP_ORIGIN is not an exact origin.'],
  ])('are refused for %s=%s', async (name, value, text) => {
    const [finding] = await find('environment', { ...shop.env, [name]: value });
    expect(finding?.status).toBe('problem');
    expect(finding?.message).toContain(text);
  });

  it("name the webhook key that is the partner's own", async () => {
    const { createPublicKey } = await import('node:crypto');
    const own = createPublicKey(pem()).export({ type: 'spki', format: 'pem' }).toString();
    const [finding] = await find('environment', { ...shop.env, RAMP_WEBHOOK_PUBLIC_KEY: own });
    expect(finding?.message).toContain('is the public key of your own RAMP_API_PRIVATE_KEY');
  });

  it('name a secret that is built into the page, without printing it', async () => {
    const { findings, output } = await runDoctor({
      ...shop.env,
      VITE_SETTINGS: `key=${sandbox.secretKey}`,
    });
    expect(findings[0]?.message).toContain('VITE_SETTINGS holds the value of RAMP_SECRET_KEY');
    expect(output).not.toContain(sandbox.secretKey);
  });

  it('warn about a test address beside one of production', async () => {
    const findings = await find(
      'environment',
      {
        ...shop.env,
        RAMP_API_URL: 'https://api.sandbox.invalid',
        RAMP_WIDGET_URL: 'https://pay.invalid',
        RAMP_WEBHOOK_URL: 'https://shop.invalid/api/ramp/webhook',
      },
      [],
      { runtime: testRuntime({ fetch: async () => Response.json({}) }) },
    );
    expect(findings.find(({ status }) => status === 'warning')?.message).toContain(
      'Only one of RAMP_API_URL and RAMP_WIDGET_URL looks like the address of a test environment',
    );
  });
});

describe('service', () => {
  it('is named if its port is closed', async () => {
    const RAMP_API_URL = `http://127.0.0.1:${await findFreePort()}`;
    const { problems, findings } = await runDoctor({ ...shop.env, RAMP_API_URL });
    expect(problems).toEqual(['service', 'store']);
    expect(findings.find(({ check }) => check === 'service')?.message).toMatch(/is closed\.$/);
  });

  it('is named if RAMP_API_URL leads to something else', async () => {
    const RAMP_API_URL = await serve(
      respond(200, { 'content-type': 'text/html' }, '<!doctype html>'),
    );
    const [finding] = await find('service', { ...shop.env, RAMP_API_URL });
    expect(finding?.message).toContain('the response is not JSON');
  });

  it('is named if it does not respond in time', async () => {
    const RAMP_API_URL = await serve(() => {});
    const [finding] = await find('service', { ...shop.env, RAMP_API_URL }, [], { limitMs: 50 });
    expect(finding?.message).toBe('RAMP_API_URL does not respond in time.');
  });

  it('is not called without its address and keys', async () => {
    const { RAMP_API_URL, ...env } = shop.env;
    expect(await find('keys', env)).toMatchObject([{ status: 'skipped' }]);
  });

  it('refuses the widget URL of a SecretKey of another environment', async () => {
    const RAMP_SECRET_KEY = 'the-key-of-another-environment';
    const [finding] = await find('widget', { ...shop.env, RAMP_SECRET_KEY });
    expect(finding?.status).toBe('problem');
    expect(finding?.cure).toContain('RAMP_SECRET_KEY');
  });
});

describe('backend', () => {
  const json = { 'content-type': 'application/json' };
  it.each([
    ['an HTML page', respond(200, { 'content-type': 'text/html' }, '<p>'), 'returns an HTML page'],
    ['a 404', respond(404, { 'content-type': 'text/html' }), 'it responds with 404'],
    ['another API', respond(200, json, '{}'), 'responds with 200 and not as the ramp handler'],
    ['a redirect', respond(308, { location: '/' }), 'redirects (308)'],
    ['a failing server', respond(502), 'fails with 502'],
    ['a silent server', () => {}, 'does not respond in time'],
  ])('is named if it is %s', async (_, listener, text) => {
    const backend = await serve(listener);
    const options = { limitMs: text.includes('time') ? 50 : 5000 };
    const [finding] = await find('backend', {}, ['--backend', backend], options);
    expect(finding?.status).toBe('problem');
    expect(finding?.message).toContain(text);
  });

  it.each([
    ['', 'it responds with 404'],
    ['/page', 'it responds with 404'],
    ['/api/ramp/checkouts', 'does not know the path'],
  ])('is named if the path of a shop is %j', async (path, text) => {
    const [finding] = await find('backend', {}, ['--backend', shop.url + path]);
    expect(finding?.message).toContain(text);
  });

  it('is named if it speaks no TLS', async () => {
    const backend = shop.backend.replace('http:', 'https:');
    const [finding] = await find('backend', {}, ['--backend', backend]);
    expect(finding?.message).toContain('has no valid TLS connection');
  });

  it('receives no request that opens a checkout', async () => {
    const requests: string[] = [];
    const backend = await serve((req, res) => {
      requests.push(`${req.method} ${req.url}`);
      const allowed = { 'access-control-allow-origin': PAGE, ...json };
      res.writeHead(req.method === 'GET' ? 405 : 204, allowed);
      res.end(req.method === 'GET' ? '{"error":{"code":"ERR_REQUEST"}}' : '');
    });
    const [finding] = await find('origin', {}, ['--backend', backend, '--page', PAGE]);
    expect(requests).toEqual(['GET /webhook', 'OPTIONS /checkouts']);
    expect(finding?.message).toContain('but not its cookies');
  });

  it('is checked for the pages of SHOP_ORIGIN, unless --page names others', async () => {
    const SHOP_ORIGIN = `${PAGE},https://www.shop.example`;
    const findings = await find('origin', { SHOP_ORIGIN }, ['--backend', shop.backend]);
    expect(findings.map(({ status }) => status)).toEqual(['ok', 'problem']);
  });
});

describe('webhook', () => {
  const check = async (listener: RequestListener) => {
    const RAMP_WEBHOOK_URL = `${await serve(listener)}/api/ramp/webhook`;
    const [finding] = await find('webhook', { ...shop.env, RAMP_WEBHOOK_URL });
    return finding;
  };

  it('says that the check is not one from outside', async () => {
    const [finding] = await find('webhook', shop.env);
    expect(finding).toMatchObject({ status: 'ok' });
    expect(finding?.message).toContain('This is not a check from outside');
  });

  it('is named if it accepts an unsigned webhook', async () => {
    const finding = await check(respond(200));
    expect(finding?.message).toContain('accepts a webhook without a signature');
  });

  it.each([
    [301, 'redirects (301)'],
    [403, 'responds with 403'],
    [404, 'is not a path of the handler'],
    [405, 'is the path of another route'],
    [503, 'fails with 503'],
  ])('is named if it responds with %i', async (status, text) => {
    const finding = await check(respond(status, status === 301 ? { location: '/' } : {}));
    expect(finding).toMatchObject({ status: 'problem' });
    expect(finding?.message).toContain(text);
  });

  it('causes a warning if a rate limit refuses it', async () => {
    expect(await check(respond(429))).toMatchObject({ status: 'warning' });
  });

  it('is named if its name has no address', async () => {
    const RAMP_WEBHOOK_URL = 'https://shop.invalid/api/ramp/webhook';
    const [finding] = await find('webhook', { RAMP_WEBHOOK_URL });
    expect(finding?.message).toContain('the name shop.invalid has no address');
  });

  it('causes a warning for a private address', async () => {
    const RAMP_WEBHOOK_URL = 'https://10.0.0.1/api/ramp/webhook';
    const refusal = { error: { code: 'ERR_WEBHOOK_VERIFICATION' } };
    const runtime = testRuntime({ fetch: async () => Response.json(refusal, { status: 401 }) });
    const [finding] = await find('webhook', { RAMP_WEBHOOK_URL }, [], { runtime });
    expect(finding).toMatchObject({ status: 'warning' });
    expect(finding?.message).toContain('10.0.0.1 has a private address');
  });
});

it('names a Node.js that is too old', async () => {
  const [finding] = await find('versions', {}, [], { nodeVersion: '18.20.0' });
  expect(finding?.message).toBe('Node.js 18.20.0 is too old: this package needs >=20.19.');
});
