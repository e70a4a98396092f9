import { generateKeyPair, type KeyObject, randomInt } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import { createConfigError } from '../protocol/errors/RampError.js';
import { createWireFormat } from './api/wireFormat.js';
import { createSandboxApp } from './createSandboxApp.js';
import { createSandboxOrders, type SandboxOrder } from './orders.js';
import {
  assertNotProduction,
  parseSandboxOptions,
  type SandboxOptions,
} from './parseSandboxOptions.js';
import { startWebhookSender } from './webhooks/startWebhookSender.js';

/** A running sandbox. Its keys are generated at each start. */
export interface Sandbox {
  /** URL of the hosted widget, without `/home`: `http://127.0.0.1:PORT`. */
  readonly widgetUrl: string;
  /** URL of the partner API, without `/open/api`. It equals `widgetUrl`. */
  readonly baseUrl: string;
  /** 16 letters and digits. */
  readonly partnerId: string;
  /** The key that signs widget URLs: 32 letters and digits. */
  readonly secretKey: string;
  /** The partner's private key, which signs API requests: RSA of 2048 bits, PEM text (PKCS#8). */
  readonly apiPrivateKey: string;
  /** The service's public key, which verifies webhooks: RSA of 2048 bits, PEM text (SPKI). */
  readonly webhookPublicKey: string;
  /**
   * Returns the finished orders with their current status, oldest first. The last 10,000 orders are kept.
   */
  orders(): SandboxOrder[];
  /** Stops listening and closes open connections. Further calls do nothing. */
  close(): Promise<void>;
}

/**
 * Starts the service on loopback: both hosted widgets (docs/service-interface.md section 4.7), which verify signed URLs
 * (section 5.3), and the partner API (sections 4.2 to 4.5), which verifies signed requests (section 5.1). The widgets
 * and the API use the same prices, which move slightly with the clock. The sandbox generates its own keys, keeps its
 * state in memory, and connects to loopback only. A signed NFT URL can be paid only once.
 *
 * With a `webhookUrl` the sandbox sends a signed webhook (section 5.2) when an order finishes, and another when an
 * NFT order is settled, each without retries. The sandbox logs each refused widget URL, and each webhook that was not
 * accepted.
 *
 * The API responds to every request with HTTP status 200 and an envelope, whose `code` is the result. The `msg` of an
 * error names the failed check. Nonces may be reused.
 *
 * @throws RampError `ERR_CONFIG_INVALID` under NODE_ENV=production, for a host that is not loopback, for an invalid
 * option, or when the port is in use.
 * @example
 * const sandbox = await startSandbox({ port: 4010 });
 * const signer = createWidgetSigner(sandbox);
 */
export async function startSandbox(options?: SandboxOptions): Promise<Sandbox> {
  assertNotProduction(process.env);
  const { port, host, ...settings } = parseSandboxOptions(options);
  const partner = { partnerId: createRandomKey(16), secretKey: createRandomKey(32) };
  const orders = createSandboxOrders(settings);
  const server = createAdaptorServer({
    // The server already listens while the keys are generated. Requests that arrive in that time wait for the keys.
    fetch: async (request) => (await service).app.fetch(request),
    overrideGlobalObjects: false,
  });
  const service = Promise.all([listenOn(server, port, host), createSandboxKeys()]).then(
    ([boundPort, { issued, apiPublicKey, webhookPrivateKey }]) => {
      const origin = `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`;
      const app = createSandboxApp({ ...partner, ...settings, apiPublicKey, origin, orders });
      const stop = startWebhookSender({
        ...{ ...settings, origin, orders, form: createWireFormat(settings.quirks) },
        partnerId: partner.partnerId,
        privateKey: webhookPrivateKey,
      });
      return { app, origin, issued, stop };
    },
  );
  const { origin, issued, stop } = await service;
  let closed: Promise<void> | undefined;
  return {
    widgetUrl: origin,
    baseUrl: origin,
    ...partner,
    ...issued,
    orders: () => orders.listFinished(),
    close() {
      stop();
      closed ??= closeServer(server);
      return closed;
    },
  };
}

function listenOn(server: ServerType, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === 'EADDRINUSE'
          ? 'is in use by another program. Set another port'
          : `cannot be used (${cause.code})`;
      reject(createConfigError('Sandbox:', `port ${port} on ${host} ${why}.`, { cause }));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function closeServer(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // `server.close` waits for open connections, and a page that polls would keep its connection open forever.
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
}

/** The RSA keys of one run: of each key pair, the service has one key and the partner has the other. */
interface SandboxKeys {
  /** Verifies API requests of the partner. */
  readonly apiPublicKey: KeyObject;
  readonly webhookPrivateKey: KeyObject;
  /** The keys that a partner receives at onboarding, PEM text: PKCS#8 and SPKI. */
  readonly issued: { readonly apiPrivateKey: string; readonly webhookPublicKey: string };
}

const generateRsaKeyPair = () => promisify(generateKeyPair)('rsa', { modulusLength: 2048 });

/** Generates a key pair for requests and one for webhooks, off the main thread. */
async function createSandboxKeys(): Promise<SandboxKeys> {
  const [api, webhook] = await Promise.all([generateRsaKeyPair(), generateRsaKeyPair()]);
  return {
    apiPublicKey: api.publicKey,
    webhookPrivateKey: webhook.privateKey,
    issued: {
      apiPrivateKey: exportPem(api.privateKey, 'pkcs8'),
      webhookPublicKey: exportPem(webhook.publicKey, 'spki'),
    },
  };
}

const exportPem = (key: KeyObject, type: 'pkcs8' | 'spki'): string =>
  key.export({ type, format: 'pem' }).toString();

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns `length` random letters and digits, uniformly distributed. */
const createRandomKey = (length: number): string =>
  Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('');
