import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox } from '@partner-ramp/react/sandbox';
import { createShopEnvironment } from '../../../scripts/createShopEnvironment.mjs';
import { findFreePort } from '../../../scripts/ports.mjs';
import { type ChildServer, startChild } from '../demo/startChild.js';

export interface RunningExample extends ChildServer {
  readonly url: string;
}

/** Runs the `dev` script of an example on free ports. It starts the sandbox, the backend and the page. */
export async function startExample(folder: string): Promise<RunningExample> {
  const url = `http://localhost:${await findFreePort()}`;
  const { port } = new URL(url);
  // In an example with a Vite configuration, Vite serves the page, so the backend needs another port.
  const hasVite = existsSync(join(folder, 'vite.config.js'));
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const env = {
    NODE_ENV: 'development',
    NEXT_TELEMETRY_DISABLED: '1',
    PAGE_PORT: port,
    PORT: hasVite ? `${await findFreePort()}` : port,
    SANDBOX_PORT: `${await findFreePort()}`,
  };
  // Drop the first word, `node`, because startChild runs Node.js by default.
  const args = scripts.dev.split(' ').slice(1);
  return { url, ...(await startChild(args, { url, env, cwd: folder })) };
}

/** Creates the variables that `.env.example` lists, for an example at `url` that uses the sandbox. */
export function createExampleEnvironment(sandbox: Sandbox, url: string) {
  return {
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    DATABASE_FILE: 'orders.db',
    VITE_RAMP_WIDGET_URL: sandbox.widgetUrl,
    ...createShopEnvironment(sandbox, url),
  } as const;
}
