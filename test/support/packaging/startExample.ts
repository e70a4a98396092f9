import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '@partner-ramp/react/sandbox';
import { createShopEnvironment } from '../../../scripts/createShopEnvironment.mjs';
import { findFreePort } from '../../../scripts/ports.mjs';
import { type ChildServer, startChild } from '../demo/startChild.js';

/** A running example, and the URL of its page. */
export interface RunningExample extends ChildServer {
  readonly url: string;
}

/** Runs `npm run dev`: the sandbox, the backend and the page. */
export async function startExample(folder: string): Promise<RunningExample> {
  const url = `http://localhost:${await findFreePort()}`;
  const { port } = new URL(url);
  // Next serves the page and the backend on one port.
  const isNext = existsSync(join(folder, 'next.config.ts'));
  const env = {
    NODE_ENV: 'development',
    NEXT_TELEMETRY_DISABLED: '1',
    PAGE_PORT: port,
    PORT: isNext ? port : `${await findFreePort()}`,
    SANDBOX_PORT: `${await findFreePort()}`,
  };
  return { url, ...(await startChild([join(folder, 'sandbox.js')], { url, env, cwd: folder })) };
}

/** Creates the variables of `.env.example` for a running sandbox. */
export function createExampleEnvironment(sandbox: Sandbox, url: string) {
  return {
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    DATABASE_FILE: 'orders.db',
    VITE_RAMP_WIDGET_URL: sandbox.widgetUrl,
    ...createShopEnvironment(sandbox, url),
  } as const;
}
