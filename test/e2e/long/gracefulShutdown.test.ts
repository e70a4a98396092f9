import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findFreePort } from '../../../scripts/ports.mjs';
import { listShopVariables } from '../../../src/sandbox/variables.js';
import { startChild } from '../../support/shop/startChild.js';

const ENTRY = 'examples/print-shop/dist/server/main.js';

let sandbox: Sandbox;
let folder: string;
let child: ChildProcess | undefined;
let shopUrl: string;
let logs = '';

beforeEach(async () => {
  sandbox = await startSandbox();
  folder = mkdtempSync(join(tmpdir(), 'stop-'));
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

async function environment(more: Record<string, string> = {}) {
  shopUrl = `http://127.0.0.1:${await findFreePort()}`;
  return {
    ...listShopVariables(sandbox, shopUrl),
    DATABASE_FILE: join(folder, 'orders.db'),
    DATABASE_URL: '',
    SESSION_SECRET: 'x'.repeat(32),
    ...more,
  };
}

async function start(more: Record<string, string> = {}): Promise<ChildProcess> {
  logs = '';
  const env = { ...process.env, ...(await environment(more)) };
  const started = spawn(process.execPath, [ENTRY], { env });
  child = started;
  for (const stream of [started.stdout, started.stderr])
    stream.on('data', (chunk) => {
      logs += chunk;
    });
  await expect.poll(() => logs, { timeout: 20_000 }).toContain('"listening"');
  return started;
}

/** Resolves when the process has exited. `by` is the signal if a signal ended the process. */
async function stop(started: ChildProcess, signal: NodeJS.Signals) {
  const from = performance.now();
  const exited = once(started, 'exit');
  started.kill(signal);
  const [code, by] = await exited;
  return { code, by, ms: performance.now() - from };
}

/** Creates a session by visiting the shop. Returns its headers, and functions that send requests with them. */
async function createVisitor() {
  const page = await fetch(shopUrl);
  await page.body?.cancel();
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const headers = { Cookie: cookie, Origin: shopUrl, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ widget: 'on-ramp', params: {} });
  const checkout = () => fetch(`${shopUrl}/api/ramp/checkouts`, { method: 'POST', headers, body });
  return { headers, checkout };
}

/** Starts a request that announces a body of 1000 bytes, and sends only one byte of it. */
async function startEndlessRequest(): Promise<void> {
  const { headers } = await createVisitor();
  const endless = request(`${shopUrl}/api/ramp/checkouts`, {
    method: 'POST',
    headers: { ...headers, 'Content-Length': 1000 },
  });
  endless.on('error', () => {});
  endless.write('{');
  await delay(300);
}

/** Opens a new connection; fetch might reuse one that the server is closing. Returns 'connected' or the error code. */
const connect = () =>
  new Promise<string>((resolve) => {
    const { hostname, port } = new URL(shopUrl);
    const socket = createConnection({ host: hostname, port: Number(port) });
    socket.once('connect', () => resolve('connected'));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(`${code}`));
    socket.once('close', () => socket.destroy());
  });

describe('a shop under load', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'finishes its requests after %s, and exits with 0 within ten seconds',
    async (signal) => {
      const started = await start();
      const shoppers = await Promise.all(Array.from({ length: 8 }, createVisitor));
      const results: (number | string)[] = [];
      const load = shoppers.map(async ({ headers }) => {
        for (let isOver = false; !isOver; ) {
          const response = await fetch(`${shopUrl}/listings.json`, { headers }).catch(() => null);
          const text = await response?.text().catch(() => 'cut off');
          isOver = !response;
          if (response) results.push(text === 'cut off' ? text : response.status);
        }
      });
      // This request is only half sent when the server receives the signal.
      const body = JSON.stringify({ widget: 'on-ramp', params: {} });
      const slow = request(`${shopUrl}/api/ramp/checkouts`, {
        method: 'POST',
        headers: { ...shoppers[0]?.headers, 'Content-Length': body.length },
      });
      slow.write(body.slice(0, 10));
      await delay(500);
      const ending = stop(started, signal);
      await delay(300);
      const refused = await connect();
      slow.end(body.slice(10));
      const [response] = await once(slow, 'response');
      const { code, ms } = await ending;
      await Promise.all(load);

      expect(code).toBe(0);
      expect(ms).toBeLessThan(10_000);
      expect(refused).toBe('ECONNREFUSED');
      expect(response.statusCode).toBe(201);
      expect(results.length).toBeGreaterThan(20);
      expect(new Set(results)).toEqual(new Set([200]));
      expect(logs).not.toContain('request aborted');
      expect(logs).toContain('"stopped"');
      expect(logs).not.toMatch(/"level":50/);
    },
  );

  it('aborts a request that never ends, and still exits with 0 within ten seconds', async () => {
    const started = await start();
    await startEndlessRequest();
    const { code, ms } = await stop(started, 'SIGTERM');
    expect(code).toBe(0);
    expect(ms).toBeGreaterThan(5000);
    expect(ms).toBeLessThan(10_000);
  });

  it('exits immediately after a second signal, but not after a forwarded copy of the first', async () => {
    const started = await start();
    await startEndlessRequest();
    started.kill('SIGINT');
    started.kill('SIGTERM');
    await delay(700);
    expect(started.exitCode).toBeNull();
    const { code, ms } = await stop(started, 'SIGTERM');
    expect(code).toBe(1);
    // Without the second signal, the shop would wait for more than five seconds.
    expect(ms).toBeLessThan(5000);
  });
});

describe('a restarted shop', () => {
  it('still has its checkouts when it uses the same file', async () => {
    const first = await start();
    const { headers, checkout } = await createVisitor();
    const { reference } = await (await checkout()).json();
    expect((await stop(first, 'SIGTERM')).code).toBe(0);
    await start();
    const again = await fetch(`${shopUrl}/api/ramp/checkouts/${reference}`, { headers });
    expect(await again.json()).toMatchObject({ reference, progress: 'waiting' });
  });

  it('shares the file with another process, and both respond', async () => {
    await start();
    const { headers, checkout } = await createVisitor();
    const env = await environment({ SHOP_ORIGIN: shopUrl });
    const url = `http://127.0.0.1:${env.PORT}`;
    const first = headers.Origin;
    const second = await startChild([ENTRY], { url, env: { ...env, SHOP_ORIGIN: first } });
    shopUrl = first;
    const created = await Promise.all(
      Array.from({ length: 20 }, async () => (await checkout()).json()),
    );
    const found = await Promise.all(
      created.map(({ reference }) =>
        fetch(`${url}/api/ramp/checkouts/${reference}`, { headers }).then(({ status }) => status),
      ),
    );
    await second.close();
    expect(new Set(found)).toEqual(new Set([200]));
  });

  it('prints why its database cannot be used, without its password', async () => {
    const env = {
      ...process.env,
      ...(await environment({ DATABASE_URL: 'postgres://shop:canary@127.0.0.1:1/shop' })),
    };
    const failed = spawn(process.execPath, [ENTRY], { env });
    let printed = '';
    failed.stderr.on('data', (chunk) => {
      printed += chunk;
    });
    const [code] = await once(failed, 'close');
    expect(code).toBe(1);
    expect(printed).toMatch(/^PostgreSQL could not be used \(ECONNREFUSED\): check DATABASE_URL/);
    expect(printed).not.toContain('canary');
  });
});
