import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { Config } from '../../src/config/readConfig.js';
import { createLogger } from '../../src/http/createLogger.js';
import { startServer } from '../../src/http/startServer.js';
import { openShop } from '../../src/openShop.js';
import { stopServer } from '../../src/stopOnSignal.js';

const { privateKey: apiPrivateKey, publicKey: webhookPublicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

export const config: Omit<Config, 'databaseFile'> = {
  host: '127.0.0.1',
  port: 0,
  trustProxy: 0,
  widgetUrl: 'https://pay.example/widget',
  apiUrl: 'https://api.example',
  partnerId: 'partner-1',
  secretKey: 'canary-secret-key-of-the-tests',
  apiPrivateKey,
  webhookPublicKey,
  webhookUrl: 'https://shop.example/api/ramp/webhook',
  pollSeconds: 60,
  databaseUrl: undefined,
  operatorPassword: 'canary-operator-password',
  sessionSecret: 'canary-session-secret-of-the-tests-0123',
  shopOrigins: ['https://shop.example'],
  logLevel: 'trace',
};

interface ShopSettings {
  /** The folder of the built storefront. Without it the shop serves an empty page. */
  readonly folder?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Starts a complete shop with its own port, database and log. */
export async function startShop(changes: Partial<Config> = {}, settings: ShopSettings = {}) {
  const own = mkdtempSync(join(tmpdir(), 'shop-'));
  for (const page of ['index', 'orders', 'operator'])
    writeFileSync(join(own, `${page}.html`), '<!doctype html><title>Shop</title>');
  let logs = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      logs += chunk;
      done();
    },
  });
  const used = { ...config, databaseFile: join(own, 'data', 'orders.db'), ...changes };
  const logger = createLogger(used.logLevel, stream);
  const { folder: storefront = own, now } = settings;
  const shop = await openShop(used, logger, { storefront, ...(now && { now }) });
  const server = await startServer(shop.app, used);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    databaseFile: used.databaseFile,
    logs: () => logs,
    visit: () => visit(url),
    /** Starts the order tracker. Until this is called, the shop does not request the order list on its own. */
    start: shop.start,
    async close() {
      await Promise.all([stopServer(server, 0), shop.stopBackgroundWork()]);
      await shop.close();
      rmSync(own, { recursive: true });
    },
  };
}

export type Shop = Awaited<ReturnType<typeof startShop>>;

/** Acts as a browser: opens the page, stores cookies, and sends an `Origin` header. */
async function visit(url: string) {
  const jar = new Map<string, string>();
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(url + path, {
      ...init,
      headers: {
        Origin: 'https://shop.example',
        Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...init.headers,
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split(/=(.*)/s);
      jar.set(name, value);
    }
    return response;
  };
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    send(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  await send('/');
  return {
    jar,
    send,
    post,
    login: (password: string = config.operatorPassword ?? '') =>
      post('/api/operator/session', { password }),
    json: async (path: string) => (await send(path)).json(),
    session: async () => (await send('/api/session')).json() as Promise<ShopperResponse>,
    checkout: (params: Record<string, string> = {}, widget = 'on-ramp', selection?: object) =>
      post('/api/ramp/checkouts', { widget, params, selection }),
  };
}

interface ShopperResponse {
  readonly signedIn: boolean;
  readonly name: string | null;
  readonly wallets: { readonly evm: string; readonly bitcoin: string } | null;
}
