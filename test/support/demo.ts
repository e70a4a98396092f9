import { randomBytes } from 'node:crypto';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import { startChild } from './child-server.js';
import { freePort } from './free-port.js';

/** The sandbox, the Express example and its storefront, built, as `npm start` runs them. */
export interface Demo {
  readonly shopUrl: string;
  readonly sandbox: Sandbox;
  /** Everything that the example has logged so far. */
  logs(): string;
  close(): Promise<void>;
}

/**
 * Starts the demo on free ports of loopback. It needs `npm run build` and `build:example`.
 *
 * @param apiUrl - Another partner API in place of the sandbox's.
 */
export async function startDemo(apiUrl?: string): Promise<Demo> {
  const sandbox = await startSandbox({ stepMs: 200 });
  try {
    const port = await freePort();
    const shopUrl = `http://127.0.0.1:${port}/`;
    const example = await startChild(['server-example/dist/server/main.js'], {
      url: shopUrl,
      env: {
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
    const close = async () => {
      await example.close();
      await sandbox.close();
    };
    return { shopUrl, sandbox, logs: example.logs, close };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}
