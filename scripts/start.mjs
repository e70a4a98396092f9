// npm start: builds everything, then runs the service's sandbox and an example shop. `npm start -- NAME` runs another
// example from the table below.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, npmCommand, root } from './install.mjs';
import { host } from './ports.mjs';

/**
 * The examples that this command can run, the default first. Each is a workspace that `npm run build` builds, and its
 * `entry` is a server that reads the variables below. The script prints `pages` beside the shop's address, and
 * `operatorPages` with the OPERATOR_PASSWORD too.
 */
const examples = {
  'server-example': {
    folder: 'server-example',
    entry: 'dist/server/server.js',
    pages: {},
    operatorPages: { 'Orders to review': '/reviews' },
  },
  'print-shop': {
    folder: 'examples/print-shop',
    entry: 'dist/server/main.js',
    pages: { 'Your orders in it': '/orders' },
    operatorPages: { 'The operator page': '/operator' },
  },
};
const wanted = process.argv.slice(2).join(' ');
const name = wanted || Object.keys(examples)[0];
const example = Object.hasOwn(examples, name) ? examples[name] : undefined;

const RESPONSE_TIMEOUT_MS = 30_000;
const hasProcessGroups = process.platform !== 'win32';
const print = (text) => process.stdout.write(`${text}\n`);
const printRow = (label, text) => print(`${`${label}:`.padEnd(21)}${text}`);

let builder;
let sandbox;
let shop;
let stopping = false;

/** Stops the processes that were started so far, then exits. */
async function stop(code) {
  if (stopping) return;
  stopping = true;
  await endChild(builder);
  await endChild(shop);
  // Wait at most three seconds for the sandbox, because leftover connections may delay it.
  await Promise.race([sandbox?.close(), delay(3000)]);
  process.exit(code);
}

/** How long a process may take to stop. The shop exits after at most ten seconds. */
const STOP_TIMEOUT_MS = 11_000;

async function endChild(child) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', () => resolve(true)));
  // npm exits immediately and would leave its compiler running, so end the whole process group.
  if (child === builder && hasProcessGroups) process.kill(-child.pid, 'SIGTERM');
  else child.kill('SIGTERM');
  if (!(await Promise.race([ended, delay(STOP_TIMEOUT_MS)]))) child.kill('SIGKILL');
}

async function fail(error) {
  if (stopping) return;
  process.stderr.write(`${error.message}\n`);
  await stop(1);
}

/**
 * Returns the port in an environment variable, or the default. Throws an error with a message for the user if the
 * variable is not a port.
 */
function parsePort(name, fallback) {
  const text = process.env[name] || String(fallback);
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`${name}=${text} is not a port. Use a number from 1 to 65535.`);
  return port;
}

/** Throws an error with a message for the user if the port cannot be used. */
async function assertPortFree(port, { wantedBy, variable }) {
  const server = createServer();
  const code = await new Promise((resolve) => {
    server.once('error', (error) => resolve(error.code));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
  if (!code) return;
  const why = code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${code})`;
  throw new Error(
    `Port ${port} of ${wantedBy} ${why}. Use another port: ${variable}=${port + 100} npm start${wanted && ` -- ${wanted}`}`,
  );
}

/** Runs the package's `build` script, or a workspace's with `-w`. */
function build(what, ...options) {
  const command = ['run', 'build', ...options];
  print(`Building ${what} …`);
  const output = [];
  return new Promise((resolve, reject) => {
    const { file, args, shell } = npmCommand(command);
    const stdio = ['ignore', 'pipe', 'pipe'];
    builder = spawn(file, args, { cwd: root, shell, stdio, detached: hasProcessGroups });
    for (const stream of [builder.stdout, builder.stderr])
      stream.on('data', (chunk) => output.push(chunk));
    builder.once('error', reject);
    builder.once('close', (code) => {
      if (code === 0) return resolve();
      if (!stopping) process.stderr.write(Buffer.concat(output));
      reject(
        new Error(`Building ${what} failed (npm ${command.join(' ')}); its messages are above.`),
      );
    });
  });
}

/**
 * Deletes the database of the previous start, and returns its path. The sandbox keeps its orders in memory, so a new
 * sandbox does not know the orders in that database.
 */
function prepareDatabaseFile() {
  const file = join(root, example.folder, 'data', 'sandbox.db');
  for (const part of [file, `${file}-wal`, `${file}-shm`]) rmSync(part, { force: true });
  return file;
}

function startShop(port, variables, operatorPassword) {
  const entry = join(example.folder, example.entry);
  shop = spawn(process.execPath, [entry], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      ...variables,
      HOST: host,
      SHOP_ORIGIN: `http://${host}:${port},http://localhost:${port}`,
      RAMP_POLL_SECONDS: process.env.RAMP_POLL_SECONDS || '15',
      DATABASE_FILE: process.env.DATABASE_FILE || prepareDatabaseFile(),
      OPERATOR_PASSWORD: operatorPassword,
      // Log only warnings and errors, so that the addresses printed below stay visible.
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
      SESSION_SECRET: randomBytes(32).toString('hex'),
    },
  });
  shop.once('error', (error) => fail(new Error(`The shop could not be started: ${error.message}`)));
  shop.once('exit', (code, signal) =>
    fail(new Error(`The shop stopped (${signal ?? `code ${code}`}).`)),
  );
}

/** Resolves once `isReady` accepts a response from the URL. By default, any 2xx status is accepted. */
async function waitForResponse(url, isReady = (response) => response.ok) {
  const end = Date.now() + RESPONSE_TIMEOUT_MS;
  let last = 'no connection';
  while (Date.now() < end && !stopping) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
      await response.body?.cancel();
      if (isReady(response)) return;
      last = `status ${response.status}`;
    } catch {
      last = 'no connection';
    }
    await delay(100);
  }
  if (!stopping)
    throw new Error(`${url} did not respond within ${RESPONSE_TIMEOUT_MS / 1000} s (${last}).`);
}

/** Imports a module from the sandbox that this command has built. */
const importBuilt = (file) => import(pathToFileURL(join(root, 'dist', 'sandbox', file)).href);

async function main() {
  if (!example)
    throw new Error(
      `npm start cannot run "${name}". It can run: ${Object.keys(examples).join(', ')}.`,
    );
  const port = parsePort('PORT', 4000);
  const sandboxPort = parsePort('SANDBOX_PORT', 4010);
  if (port === sandboxPort)
    throw new Error(`PORT and SANDBOX_PORT are both ${port}. Set different ports.`);
  // Check the ports before the build, so that a port in use is reported immediately.
  await assertPortFree(port, { wantedBy: 'the shop', variable: 'PORT' });
  await assertPortFree(sandboxPort, { wantedBy: 'the sandbox', variable: 'SANDBOX_PORT' });
  ensureInstalled();
  await build('the package');
  await build('the example shop', '-w', example.folder);
  const { startSandbox } = await importBuilt('index.js');
  const { listShopVariables } = await importBuilt('variables.js');
  sandbox = await startSandbox({
    port: sandboxPort,
    webhookUrl: `http://${host}:${port}/api/ramp/webhook`,
  });
  const generatedPassword = randomBytes(12).toString('base64url');
  const address = `http://${host}:${port}`;
  const variables = listShopVariables(sandbox, address);
  startShop(port, variables, process.env.OPERATOR_PASSWORD || generatedPassword);
  await waitForResponse(`${address}/`);
  await waitForResponse(`${address}/health`);
  await waitForResponse(sandbox.widgetUrl, (response) => response.status < 500);
  if (stopping) return;
  // The generated password is only printed, not stored: each start generates a new one.
  const password = process.env.OPERATOR_PASSWORD ? 'your OPERATOR_PASSWORD' : generatedPassword;
  print('');
  printRow('The shop', address);
  for (const [label, path] of Object.entries(example.pages)) printRow(label, `${address}${path}`);
  for (const [label, path] of Object.entries(example.operatorPages))
    printRow(label, `${address}${path}  (password: ${password})`);
  printRow('The sandbox widget', sandbox.widgetUrl);
  print('Press Ctrl-C to stop.');
}

process.on('SIGINT', () => stop(0));
process.on('SIGTERM', () => stop(0));
process.on('SIGHUP', () => stop(0));
main().catch(fail);
