import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWidgetUrl } from '@partner-ramp/react/protocol';
import { type Sandbox, type SandboxOptions, startSandbox } from '@partner-ramp/react/sandbox';
import { findFreePort, startServer } from './startServer.js';

const PASSWORD = 'operator-password-of-the-tests';

export interface StartedShop {
  readonly url: string;
  readonly sandbox: Sandbox;
  /** Returns what the server has logged until now. */
  logs(): string;
  /** Returns the rows of GET /reviews. */
  listReviews(): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** Starts the sandbox and the built server as a process of its own, with a new database. */
export async function startShop(
  options: SandboxOptions = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<StartedShop> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const webhookUrl = `${url}/api/ramp/webhook`;
  const sandbox = await startSandbox({ stepMs: 0, webhookUrl, log: () => {}, ...options });
  const folder = mkdtempSync(join(tmpdir(), 'shop-'));
  const end = async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true });
  };
  const env = {
    PORT: `${port}`,
    HOST: '127.0.0.1',
    SHOP_ORIGIN: url,
    RAMP_WIDGET_URL: sandbox.widgetUrl,
    RAMP_API_URL: sandbox.baseUrl,
    RAMP_PARTNER_ID: sandbox.partnerId,
    RAMP_SECRET_KEY: sandbox.secretKey,
    RAMP_API_PRIVATE_KEY: sandbox.apiPrivateKey,
    RAMP_WEBHOOK_PUBLIC_KEY: sandbox.webhookPublicKey,
    RAMP_WEBHOOK_URL: webhookUrl,
    RAMP_POLL_SECONDS: '1',
    DATABASE_FILE: join(folder, 'data', 'shop.db'),
    OPERATOR_PASSWORD: PASSWORD,
    ...environment,
  };
  try {
    const server = await startServer(`${url}/health`, env);
    return {
      url,
      sandbox,
      logs: server.logs,
      async listReviews() {
        const Authorization = `Basic ${btoa(`staff:${PASSWORD}`)}`;
        const response = await fetch(`${url}/reviews`, { headers: { Authorization } });
        return (await response.json()).reviews;
      },
      async close() {
        await server.close();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

interface SignedCheckout {
  readonly reference: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Acts as the browser of a shopper, who is signed in if `name` is given. */
export async function visit({ url }: StartedShop, name?: 'ann' | 'bob') {
  let cookie = '';
  const send = (path: string, method = 'GET', body?: unknown) =>
    fetch(url + path, {
      method,
      headers: { Origin: url, 'Content-Type': 'application/json', Cookie: cookie },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const signIn = async (shopper: string) => {
    const response = await send('/api/session', 'POST', { shopper });
    const [line = ''] = response.headers.getSetCookie();
    [cookie = ''] = line.split(';', 1);
    return response;
  };
  if (name) await signIn(name);
  const requestCheckout = (body: object = {}) =>
    send('/api/ramp/checkouts', 'POST', { widget: 'on-ramp', params: {}, ...body });
  return {
    send,
    signIn,
    requestCheckout,
    cookie: () => cookie,
    json: async (path: string) => (await send(path)).json(),
    async openCheckout(): Promise<SignedCheckout> {
      const response = await requestCheckout();
      if (response.status !== 201) throw new Error(await response.text());
      return response.json();
    },
    listPurchases: async (): Promise<readonly Record<string, unknown>[]> =>
      (await (await send('/api/purchases')).json()).purchases,
  };
}

/** Pays in the hosted widget, and returns the ID of the order. */
export const pay = ({ sandbox }: StartedShop, params: SignedCheckout['params']): Promise<string> =>
  sandbox.pay(buildWidgetUrl(sandbox.widgetUrl, params), { amount: '100', fiatCurrency: 'USD' });
