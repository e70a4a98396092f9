import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Sandbox } from '../../src/sandbox/index.js';
import { toExpress } from '../../src/server/express.js';
import {
  createOrderTracker,
  createPartnerApi,
  createRampHandler,
  createWebhookVerifier,
  createWidgetSigner,
  type OrderStore,
} from '../../src/server/index.js';
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
  /** Syncs as the tracker of the shop does. */
  sync(): Promise<boolean>;
  close(): Promise<void>;
}

/** Starts a shop of the sandbox on loopback whose handler, webhooks and tracker use `store`. */
export async function startDoctorShop(sandbox: Sandbox, store: OrderStore): Promise<DoctorShop> {
  const app = express();
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const backend = `${url}/api/ramp`;
  const webhookUrl = `${backend}/webhook`;
  const onError = () => {};
  const api = createPartnerApi({ ...sandbox, privateKey: sandbox.apiPrivateKey });
  const tracker = createOrderTracker({ api, store, onError, onOrderChange: () => {} });
  const handler = createRampHandler({
    signer: createWidgetSigner(sandbox),
    api,
    store,
    tracker,
    webhooks: createWebhookVerifier({
      publicKey: sandbox.webhookPublicKey,
      url: webhookUrl,
      replays: store,
    }),
    allowedOrigins: [PAGE],
    policy: () => ({ params: { walletAddress: wallet }, subject: 'u1' }),
    onError,
  });
  app.use('/api/ramp', toExpress(handler));
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
    sync: () => tracker.sync(),
    async close() {
      await tracker.stop();
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
