import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, type SandboxOptions, startSandbox } from '@partner-ramp/react/sandbox';
import { freePort } from './freePort.js';
import { startChild } from './startChild.js';

/** The sandbox, the Express example and its storefront, built, as `npm start` runs them. */
export interface Demo {
  readonly shopUrl: string;
  readonly sandbox: Sandbox;
  readonly operatorPassword: string;
  /** Everything that the example has logged so far. */
  logs(): string;
  close(): Promise<void>;
}

export interface DemoOptions {
  /** Another partner API in place of the sandbox's. */
  readonly apiUrl?: string;
  /** What the sandbox does otherwise. */
  readonly sandbox?: SandboxOptions;
}

/** Starts the demo on free ports of loopback. It needs `npm run build` and `build:example`. */
export async function startDemo(options: DemoOptions = {}): Promise<Demo> {
  const port = await freePort();
  const shopUrl = `http://127.0.0.1:${port}/`;
  const webhookUrl = `${shopUrl}api/ramp/webhook`;
  const sandbox = await startSandbox({ stepMs: 200, webhookUrl, ...options.sandbox });
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  const operatorPassword = randomBytes(9).toString('base64url');
  try {
    const example = await startChild(['server-example/dist/server/main.js'], {
      url: shopUrl,
      env: {
        HOST: '127.0.0.1',
        PORT: String(port),
        SHOP_ORIGIN: new URL(shopUrl).origin,
        RAMP_WIDGET_URL: sandbox.widgetUrl,
        RAMP_PARTNER_ID: sandbox.partnerId,
        RAMP_SECRET_KEY: sandbox.secretKey,
        RAMP_API_URL: options.apiUrl ?? sandbox.baseUrl,
        RAMP_API_PRIVATE_KEY: sandbox.apiPrivateKey,
        RAMP_WEBHOOK_PUBLIC_KEY: sandbox.webhookPublicKey,
        RAMP_WEBHOOK_URL: webhookUrl,
        RAMP_POLL_SECONDS: '2',
        DATABASE_FILE: join(folder, 'orders.db'),
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
    return { shopUrl, sandbox, operatorPassword, logs: example.logs, close };
  } catch (error) {
    await sandbox.close();
    rmSync(folder, { recursive: true });
    throw error;
  }
}
