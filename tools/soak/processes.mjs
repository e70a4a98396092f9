import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { listShopVariables } from '../../dist/sandbox/variables.js';
import { root } from '../../scripts/install.mjs';

const here = (file) => fileURLToPath(new URL(file, import.meta.url));

/** Starts a script of this folder that serves `requestChild`. The new process exits together with this one. */
export function startPart(file) {
  return spawn(process.execPath, [here(file)], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/**
 * Creates an empty database on the PostgreSQL server of DATABASE_URL, or on a new server that exits with this process.
 *
 * @returns The URL of the database, a connected client, and a function that drops the database.
 */
export async function createDatabase() {
  const server = process.env.DATABASE_URL ? undefined : startPostgres();
  const serverUrl = process.env.DATABASE_URL ?? (await server.url);
  const name = `ramp_soak_${randomBytes(4).toString('hex')}`;
  const owner = new pg.Client({ connectionString: serverUrl });
  await owner.connect();
  await owner.query(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return {
    url: url.href,
    client,
    async close() {
      await client.end();
      await owner.query(`drop database ${name} with (force)`);
      await owner.end();
      await server?.close();
    },
  };
}

function startPostgres() {
  const stdio = ['pipe', 'pipe', 'inherit'];
  const child = spawn(process.execPath, ['scripts/postgres.mjs'], { cwd: root, stdio });
  const exited = once(child, 'exit');
  const failed = exited.then(() => Promise.reject(new Error('PostgreSQL did not start.')));
  failed.catch(() => {});
  return {
    url: Promise.race([once(child.stdout, 'data').then(([text]) => `${text}`.trim()), failed]),
    close() {
      child.stdin.end();
      return exited;
    },
  };
}

/**
 * Starts the example shop with its default limits, as if behind one proxy. Waits until it can use the database.
 *
 * @param onLine - Called with each line of the shop's log.
 */
export async function startShop({ port, service, databaseUrl, sessionSecret }, onLine) {
  const url = `http://127.0.0.1:${port}`;
  const flags = ['--expose-gc', `--import=${here('heap.mjs')}`];
  const child = spawn(process.execPath, [...flags, 'examples/print-shop/dist/server/main.js'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      ...process.env,
      ...listShopVariables(service, url),
      HOST: '127.0.0.1',
      TRUST_PROXY: '1',
      RAMP_POLL_SECONDS: '5',
      DATABASE_URL: databaseUrl,
      SESSION_SECRET: sessionSecret,
      LOG_LEVEL: 'info',
    },
  });
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    lines.forEach(onLine);
  });
  await waitUntilReady(child, `${url}/ready`);
  return child;
}

async function waitUntilReady(child, url) {
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    if (child.exitCode !== null) break;
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The shop did not start.');
}

/**
 * Stops the shop with SIGTERM, or kills it after twelve seconds. Returns its exit code, or the signal that ended it,
 * and how long that took.
 */
export async function stopShop(child) {
  const exited = once(child, 'exit');
  const from = Date.now();
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 12_000);
  const [code, signal] = await exited;
  clearTimeout(late);
  return { code: code ?? signal, ms: Date.now() - from };
}
