import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import { root } from '../packaging/bundlePage.js';
import { installPackage } from '../packaging/installPackage.js';
import { runNode } from '../packaging/runNode.js';
import { freePort } from './freePort.js';
import { type ChildServer, startChild } from './startChild.js';

const folder = join(root, 'test/next');
const next = join(folder, 'node_modules/next/dist/bin/next');

/** The sandbox and the shop in `test/next`, built and served by Next. */
export interface NextShop {
  readonly origin: string;
  readonly sandbox: Sandbox;
  /** Where Next put what a browser gets. */
  readonly clientFiles: string;
  readonly logs: ChildServer['logs'];
  close(): Promise<void>;
}

/** Puts the packed package into the shop, builds and starts it. */
export async function startNextShop(): Promise<NextShop> {
  await installPackage(folder);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const sandbox = await startSandbox();
  // While it is built too: what it would take into a file for the browser would be seen there.
  const env = {
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    SHOP_ORIGIN: origin,
    RAMP_WIDGET_URL: sandbox.widgetUrl,
    RAMP_PARTNER_ID: sandbox.partnerId,
    RAMP_SECRET_KEY: sandbox.secretKey,
    RAMP_API_URL: sandbox.baseUrl,
    RAMP_API_PRIVATE_KEY: sandbox.apiPrivateKey,
  } as const;
  try {
    await rm(join(folder, '.next'), { recursive: true, force: true });
    await runNode([next, 'build'], { cwd: folder, env: { ...process.env, ...env } });
    const server = await startChild([next, 'start', '-H', '127.0.0.1', '-p', `${port}`], {
      url: origin,
      env,
      cwd: folder,
    });
    const close = async () => {
      await server.close();
      await sandbox.close();
    };
    const clientFiles = join(folder, '.next/static');
    return { origin, sandbox, clientFiles, logs: server.logs, close };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}
