import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';

/** The sandbox, the Express example and its storefront, built, as `npm start` runs them. */
export interface Demo {
  readonly shopUrl: string;
  readonly sandbox: Sandbox;
  /** Everything that the example has logged so far. */
  logs(): string;
  close(): Promise<void>;
}

const WAIT_MS = 10_000;

/**
 * Starts the demo on free ports of loopback. It needs `npm run build` and `build:example`.
 *
 * @param apiUrl - Another partner API in place of the sandbox's.
 */
export async function startDemo(apiUrl?: string): Promise<Demo> {
  const sandbox = await startSandbox({ stepMs: 200 });
  const port = await freePort();
  const shopUrl = `http://127.0.0.1:${port}/`;
  let logs = '';
  const example = spawn(process.execPath, ['server-example/dist/server/main.js'], {
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(port),
      SHOP_ORIGIN: new URL(shopUrl).origin,
      RAMP_WIDGET_URL: sandbox.widgetUrl,
      RAMP_PARTNER_ID: sandbox.partnerId,
      RAMP_SECRET_KEY: sandbox.secretKey,
      RAMP_API_URL: apiUrl ?? sandbox.baseUrl,
      RAMP_API_PRIVATE_KEY: sandbox.apiPrivateKey,
      SESSION_SECRET: randomBytes(32).toString('hex'),
    },
  });
  example.stdout.on('data', (chunk) => {
    logs += chunk;
  });
  example.stderr.on('data', (chunk) => {
    logs += chunk;
  });
  const close = async () => {
    await stop(example);
    await sandbox.close();
  };
  try {
    await answers(
      shopUrl,
      () => example.exitCode,
      () => logs,
    );
  } catch (error) {
    await close();
    throw error;
  }
  return { shopUrl, sandbox, logs: () => logs, close };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

async function answers(url: string, exitCode: () => number | null, logs: () => string) {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; ) {
    if (exitCode() !== null) break;
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`The example does not answer. It said:\n${logs()}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
