import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '@partner-ramp/react/sandbox';
import { freePort } from '../demo/freePort.js';
import { type ChildServer, startChild } from '../demo/startChild.js';

/** An example that runs, and the address of its page. */
export interface RunningExample extends ChildServer {
  readonly url: string;
}

/** Runs `npm run dev`: the sandbox, the backend and the page. */
export async function startExample(folder: string): Promise<RunningExample> {
  const url = `http://localhost:${await freePort()}`;
  const { port } = new URL(url);
  // Next serves the page and the backend at one port.
  const isNext = existsSync(join(folder, 'next.config.ts'));
  const env = {
    NODE_ENV: 'development',
    NEXT_TELEMETRY_DISABLED: '1',
    PAGE_PORT: port,
    PORT: isNext ? port : `${await freePort()}`,
    SANDBOX_PORT: `${await freePort()}`,
  };
  return { url, ...(await startChild([join(folder, 'sandbox.js')], { url, env, cwd: folder })) };
}

/** The variables of `.env.example`, for a sandbox that runs elsewhere. */
export function createEnvironment(sandbox: Sandbox, url: string) {
  return {
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    PORT: new URL(url).port,
    SHOP_ORIGIN: url,
    DATABASE_FILE: 'orders.db',
    VITE_RAMP_WIDGET_URL: sandbox.widgetUrl,
    RAMP_WIDGET_URL: sandbox.widgetUrl,
    RAMP_PARTNER_ID: sandbox.partnerId,
    RAMP_SECRET_KEY: sandbox.secretKey,
    RAMP_API_URL: sandbox.baseUrl,
    RAMP_API_PRIVATE_KEY: sandbox.apiPrivateKey,
    RAMP_WEBHOOK_PUBLIC_KEY: sandbox.webhookPublicKey,
    RAMP_WEBHOOK_URL: `${url}/api/ramp/webhook`,
  } as const;
}
