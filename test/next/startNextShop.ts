import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import { findFreePort } from '../../scripts/ports.mjs';
import { listShopVariables } from '../../src/sandbox/variables.js';
import { installPackage } from '../support/packaging/installPackage.js';
import { runNode } from '../support/packaging/runNode.js';
import { root } from '../support/root.js';
import { type ChildServer, startChild } from '../support/shop/startChild.js';

const folder = join(root, 'test/next');
const next = join(folder, 'node_modules/next/dist/bin/next');

/** The shop in `test/next`, which Next.js has built and serves, and its sandbox. */
export interface NextShop {
  readonly origin: string;
  readonly sandbox: Sandbox;
  /** The folder with the files that Next.js sends to browsers. */
  readonly clientFiles: string;
  readonly logs: ChildServer['logs'];
  close(): Promise<void>;
}

/** Installs the packed package into the shop, builds it and starts it. */
export async function startNextShop(): Promise<NextShop> {
  await installPackage(folder);
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const sandbox = await startSandbox();
  // Pass the keys to the build too. If Next.js wrote a key into a file for browsers, the test would find it.
  const env = {
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    ...listShopVariables(sandbox, origin),
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
