import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, type SandboxOptions, startSandbox } from '@partner-ramp/react/sandbox';
import { findFreePort } from '../../../scripts/ports.mjs';
import { listShopVariables } from '../../../src/sandbox/variables.js';
import { startChild } from './startChild.js';

/** The demo of `npm start`: the sandbox, and the built Express example with its storefront. */
export interface Demo {
  readonly shopUrl: string;
  readonly sandbox: Sandbox;
  readonly operatorPassword: string;
  readonly databaseFile: string;
  /** Returns what the Express example has logged until now. */
  logs(): string;
  close(): Promise<void>;
}

export interface DemoOptions {
  /** The URL of a partner API that the shop uses instead of the sandbox's. */
  readonly apiUrl?: string;
  /** Overrides the sandbox options of the demo. */
  readonly sandbox?: SandboxOptions;
}

/** Starts the demo on free loopback ports. It needs `npm run build` and `npm run build:example`. */
export async function startDemo(options: DemoOptions = {}): Promise<Demo> {
  const port = await findFreePort();
  const shopUrl = `http://127.0.0.1:${port}/`;
  const sandbox = await startSandbox({
    stepMs: 200,
    webhookUrl: `${shopUrl}api/ramp/webhook`,
    ...options.sandbox,
  });
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  const databaseFile = join(folder, 'orders.db');
  const operatorPassword = randomBytes(9).toString('base64url');
  try {
    const example = await startChild(['examples/print-shop/dist/server/main.js'], {
      url: shopUrl,
      env: {
        ...listShopVariables(sandbox, shopUrl),
        HOST: '127.0.0.1',
        ...(options.apiUrl && { RAMP_API_URL: options.apiUrl }),
        RAMP_POLL_SECONDS: '2',
        DATABASE_FILE: databaseFile,
        DATABASE_URL: '',
        OPERATOR_PASSWORD: operatorPassword,
        SESSION_SECRET: randomBytes(32).toString('hex'),
      },
    });
    const close = async () => {
      await example.close();
      await sandbox.close();
      rmSync(folder, { recursive: true });
    };
    return { shopUrl, sandbox, operatorPassword, databaseFile, logs: example.logs, close };
  } catch (error) {
    await sandbox.close();
    rmSync(folder, { recursive: true });
    throw error;
  }
}
