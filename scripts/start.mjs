// npm start: builds everything, then runs the service's sandbox and the example shop.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createShopEnvironment } from './createShopEnvironment.mjs';
import { ensureInstalled, npmCommand, root } from './install.mjs';
import { assertPortFree, host, parsePort } from './ports.mjs';

const patience = 30_000;
const ownGroup = process.platform !== 'win32';
const say = (text) => process.stdout.write(`${text}\n`);

let builder;
let sandbox;
let shop;
let stopping = false;

/** Ends what was started, by its own handle, however far the start had come. */
async function stop(code) {
  if (stopping) return;
  stopping = true;
  await end(builder);
  await end(shop);
  // Open connections may hold a server back; nobody waits for them at the end.
  await Promise.race([sandbox?.close(), delay(3000)]);
  process.exit(code);
}

/** The shop lets requests finish, for up to ten seconds. */
const endWithin = 11_000;

async function end(child) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', () => resolve(true)));
  // npm ends at once and would leave the compiler it started behind: its group ends with it.
  if (child === builder && ownGroup) process.kill(-child.pid, 'SIGTERM');
  else child.kill('SIGTERM');
  if (!(await Promise.race([ended, delay(endWithin)]))) child.kill('SIGKILL');
}

async function fail(error) {
  if (stopping) return;
  process.stderr.write(`${error.message}\n`);
  await stop(1);
}

function build(script, what) {
  say(`Building ${what} …`);
  const output = [];
  return new Promise((resolve, reject) => {
    const { file, args, shell } = npmCommand(['run', script]);
    const stdio = ['ignore', 'pipe', 'pipe'];
    builder = spawn(file, args, { cwd: root, shell, stdio, detached: ownGroup });
    for (const stream of [builder.stdout, builder.stderr])
      stream.on('data', (chunk) => output.push(chunk));
    builder.once('error', reject);
    builder.once('close', (code) => {
      if (code === 0) return resolve();
      if (!stopping) process.stderr.write(Buffer.concat(output));
      reject(new Error(`Building ${what} failed (npm run ${script}); its messages are above.`));
    });
  });
}

/** The sandbox forgets everything at its end, so its orders begin anew with it. */
function emptyDatabase() {
  const file = join(root, 'server-example', 'data', 'sandbox.db');
  for (const part of [file, `${file}-wal`, `${file}-shm`]) rmSync(part, { force: true });
  return file;
}

function startShop(port, operatorPassword) {
  const entry = join('server-example', 'dist', 'server', 'main.js');
  shop = spawn(process.execPath, [entry], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      ...createShopEnvironment(sandbox, `http://${host}:${port}`),
      HOST: host,
      SHOP_ORIGIN: `http://${host}:${port},http://localhost:${port}`,
      RAMP_POLL_SECONDS: process.env.RAMP_POLL_SECONDS || '15',
      DATABASE_FILE: process.env.DATABASE_FILE || emptyDatabase(),
      OPERATOR_PASSWORD: operatorPassword,
      // The addresses are what matters on this screen.
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
      SESSION_SECRET: randomBytes(32).toString('hex'),
    },
  });
  shop.once('error', (error) => fail(new Error(`The shop could not be started: ${error.message}`)));
  shop.once('exit', (code, signal) =>
    fail(new Error(`The shop stopped (${signal ?? `code ${code}`}).`)),
  );
}

/** Resolves when the address answers well; a widget without parameters may well refuse them. */
async function answers(url, isGood = (response) => response.ok) {
  const end = Date.now() + patience;
  let last = 'no connection';
  while (Date.now() < end && !stopping) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
      await response.body?.cancel();
      if (isGood(response)) return;
      last = `status ${response.status}`;
    } catch {
      last = 'no connection';
    }
    await delay(100);
  }
  if (!stopping) throw new Error(`${url} did not answer within ${patience / 1000} s (${last}).`);
}

async function main() {
  const port = parsePort('PORT', 4000);
  const sandboxPort = parsePort('SANDBOX_PORT', 4010);
  if (port === sandboxPort)
    throw new Error(`PORT and SANDBOX_PORT are both ${port}; they must differ.`);
  // First of all: nobody should wait for a build to hear of a taken port.
  await assertPortFree(port, { wantedBy: 'the shop', variable: 'PORT' });
  await assertPortFree(sandboxPort, { wantedBy: 'the sandbox', variable: 'SANDBOX_PORT' });
  ensureInstalled();
  await build('build', 'the package');
  await build('build:example', 'the example shop');
  const { startSandbox } = await import(
    pathToFileURL(join(root, 'dist', 'sandbox', 'index.js')).href
  );
  sandbox = await startSandbox({
    port: sandboxPort,
    webhookUrl: `http://${host}:${port}/api/ramp/webhook`,
  });
  const madePassword = randomBytes(12).toString('base64url');
  startShop(port, process.env.OPERATOR_PASSWORD || madePassword);
  const address = `http://${host}:${port}`;
  await answers(`${address}/`);
  await answers(`${address}/health`);
  await answers(sandbox.widgetUrl, (response) => response.status < 500);
  if (stopping) return;
  say(`\nThe shop:            ${address}`);
  say(`Your orders in it:   ${address}/orders`);
  // Said once and kept nowhere: a new one is made at each start.
  const password = process.env.OPERATOR_PASSWORD ? 'your OPERATOR_PASSWORD' : madePassword;
  say(`The operator page:   ${address}/operator  (password: ${password})`);
  say(`The sandbox widget:  ${sandbox.widgetUrl}`);
  say('Press Ctrl-C to stop.');
}

process.on('SIGINT', () => stop(0));
process.on('SIGTERM', () => stop(0));
process.on('SIGHUP', () => stop(0));
main().catch(fail);
