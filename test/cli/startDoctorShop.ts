import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Sandbox } from '../../src/sandbox/index.js';
import { toExpress } from '../../src/server/express.js';
import { createRamp, type OrderStore } from '../../src/server/index.js';
import { wallet } from '../support/server/createTestHandler.js';

export const PAGE = 'https://shop.example';

/** A shop in Express. */
export interface DoctorShop {
  /** The variables of the shop, without those of its database. */
  readonly env: Readonly<Record<string, string>>;
  /** The address of the server, without a path. */
  readonly url: string;
  /** The address at which the handler is mounted. */
  readonly backend: string;
  /** Syncs as the backend of the shop does. */
  sync(): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts a shop of the sandbox on loopback whose backend uses `store`. */
export async function startDoctorShop(sandbox: Sandbox, store: OrderStore): Promise<DoctorShop> {
  const app = express();
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const backend = `${url}/api/ramp`;
  const webhookUrl = `${backend}/webhook`;
  const ramp = createRamp({
    apiUrl: sandbox.baseUrl,
    partnerId: sandbox.partnerId,
    secretKey: sandbox.secretKey,
    apiPrivateKey: sandbox.apiPrivateKey,
    webhookPublicKey: sandbox.webhookPublicKey,
    webhookUrl,
    store,
    allowedOrigins: [PAGE],
    getShopper: () => ({ id: 'u1' }),
    policy: () => ({ params: { walletAddress: wallet } }),
    deliver() {},
    review() {},
    onError() {},
  });
  app.use('/api/ramp', toExpress(ramp.handler));
  app.get('/page', (_, res) => {
    res.send('<!doctype html><title>Shop</title>');
  });
  return {
    url,
    backend,
    env: {
      RAMP_WIDGET_URL: sandbox.widgetUrl,
      RAMP_API_URL: sandbox.baseUrl,
      RAMP_PARTNER_ID: sandbox.partnerId,
      RAMP_SECRET_KEY: sandbox.secretKey,
      RAMP_API_PRIVATE_KEY: sandbox.apiPrivateKey,
      RAMP_WEBHOOK_PUBLIC_KEY: sandbox.webhookPublicKey,
      RAMP_WEBHOOK_URL: webhookUrl,
      SHOP_ORIGIN: PAGE,
    },
    sync: () => ramp.sync(),
    async close() {
      await ramp.stop();
      await closeServer(server);
    },
  };
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
