import { createPrivateKey, createPublicKey } from 'node:crypto';
import { createAdaptorServer } from '@hono/node-server';
import { createWireFormat } from './api/wireFormat.js';
import { payInWidget, type SandboxPayment } from './checkout/payInWidget.js';
import { createSandboxJournal } from './console/journal.js';
import { startConsole } from './console/startConsole.js';
import { createDerivedValues } from './createDerivedValues.js';
import { createSandboxApp } from './createSandboxApp.js';
import type { KnownKeys } from './explain/explainSignature.js';
import type { SandboxFaults } from './faults.js';
import { closeServer, formatHost, listenOn } from './listen.js';
import { createSandboxOrders, type SandboxOrder } from './orders.js';
import {
  assertNotProduction,
  parseSandboxOptions,
  type SandboxOptions,
} from './parseSandboxOptions.js';
import { createSavedKeys, toPublicPem } from './state/keys.js';
import { openSandboxState } from './state/openSandboxState.js';
import { startWebhookSender } from './webhooks/startWebhookSender.js';

/** A running sandbox. Its keys are generated at each start, or only at the first start with a given `state`. */
export interface Sandbox {
  /** URL of the hosted widget, without `/home`: `http://127.0.0.1:PORT`. */
  readonly widgetUrl: string;
  /** URL of the partner API, without `/open/api`. It equals `widgetUrl`. */
  readonly baseUrl: string;
  /** URL of the console. `undefined` without the option `consolePort`. */
  readonly consoleUrl: string | undefined;
  /** 16 letters and digits. */
  readonly partnerId: string;
  /** The key that signs widget URLs: 32 letters and digits. */
  readonly secretKey: string;
  /** The partner's private key, which signs API requests: RSA of 2048 bits, PEM text (PKCS#8). */
  readonly apiPrivateKey: string;
  /** The service's public key, which verifies webhooks: RSA of 2048 bits, PEM text (SPKI). */
  readonly webhookPublicKey: string;
  /**
   * The faults, which may be changed at any time.
   *
   * @example
   * sandbox.faults.webhookFault = 'lost';
   */
  readonly faults: SandboxFaults;
  /**
   * Returns the finished orders with their current status, oldest first. The last 10,000 orders are kept.
   */
  orders(): SandboxOrder[];
  /**
   * Pays in the widget as a shopper does, without a browser. Resolves with the order ID. The order finishes a few seconds
   * later.
   *
   * @param url - The signed widget URL, as `buildWidgetUrl` returns it.
   * @param payment - What the shopper enters.
   * @throws RampError `ERR_CONFIG_INVALID` if the widget refuses the URL, `ERR_PARAMS_INVALID` if it refuses the payment.
   * @example
   * await sandbox.pay(buildWidgetUrl(sandbox.widgetUrl, { amount: '100', ...params }));
   */
  pay(url: string, payment?: SandboxPayment): Promise<string>;
  /** Stops listening and closes open connections. Further calls do nothing. */
  close(): Promise<void>;
}

/**
 * Starts the service on loopback: both hosted widgets (service interface, section 4.7), which verify signed URLs
 * (section 5.3), and the partner API (sections 4.2 to 4.5), which verifies signed requests (section 5.1). The widgets
 * and the API use the same prices, which move slightly with the clock. The sandbox generates its own keys, and connects
 * to loopback only. It keeps keys and orders in memory, or in the folder `state`. A signed NFT URL can be paid only once.
 *
 * With a `webhookUrl` the sandbox sends a signed webhook (section 5.2) when an order finishes, and another when an
 * NFT order is settled, each without retries. The sandbox logs each refused widget URL, and each webhook that was not
 * accepted.
 *
 * The API responds to every request with HTTP status 200 and an envelope, whose `code` is the result. The `msg` of an
 * error names the failed check. Nonces may be reused.
 *
 * @throws RampError `ERR_CONFIG_INVALID` under NODE_ENV=production, for a host that is not loopback, for an invalid
 * option, when the port is in use, or when the folder `state` cannot be used, is damaged, or is in use by another sandbox.
 * @example
 * const sandbox = await startSandbox({ port: 4010 });
 * const signer = createWidgetSigner(sandbox);
 */
export function startSandbox(options?: SandboxOptions): Promise<Sandbox> {
  return startInterceptedSandbox(options, (_, respond) => respond());
}

/** Intercepts each request to a sandbox. Returns the response from `respond`, or another one in its place. */
export type Interceptor = (
  request: Request,
  respond: () => Response | Promise<Response>,
) => Response | Promise<Response>;

/** Starts a sandbox whose requests pass through `intercept`. */
export async function startInterceptedSandbox(
  options: SandboxOptions | undefined,
  intercept: Interceptor,
): Promise<Sandbox> {
  assertNotProduction(process.env);
  const {
    port,
    host,
    seed,
    state: folder,
    consolePort,
    consoleHosts,
    ...rest
  } = parseSandboxOptions(options);
  const { latencyMs, apiFault, webhookFault, faultRate, quirks, ...settings } = rest;
  let lastRefusal = '';
  const log = (line: string) => {
    if (line.startsWith('Sandbox: widget URL refused')) lastRefusal = line;
    settings.log(line);
  };
  const faults: SandboxFaults = { latencyMs, apiFault, webhookFault, faultRate, quirks };
  const state = folder === undefined ? undefined : openSandboxState(folder);
  const server = createAdaptorServer({
    // The server already listens while the keys are generated. Requests that arrive in that time wait for the keys.
    fetch: async (request) => {
      const { app } = await service;
      return intercept(request, () => app.fetch(request));
    },
    overrideGlobalObjects: false,
  });
  const service = Promise.all([
    listenOn(server, port, host),
    state?.keys ?? createSavedKeys(),
  ]).then(([boundPort, keys]) => {
    if (!state?.keys) state?.saveKeys(keys);
    const origin = `http://${formatHost(host)}:${boundPort}`;
    const { partnerId, secretKey, apiPrivateKey, webhookPrivateKey } = keys;
    const derived = createDerivedValues(seed ?? keys.seed);
    const orders = createSandboxOrders({ ...settings, derived, journal: state?.journal });
    const webhookPublicKey = toPublicPem(webhookPrivateKey);
    const apiPublicKey = createPublicKey(apiPrivateKey);
    const knownKeys: KnownKeys = {
      partnerId,
      secretKey,
      apiPublicKey,
      webhookPublicKey: createPublicKey(webhookPublicKey),
      otherSecrets: [
        { name: 'the APIPrivateKey', value: apiPrivateKey },
        { name: 'the WebhookPublicKey', value: webhookPublicKey },
      ],
    };
    const journal = consolePort === undefined ? undefined : createSandboxJournal(settings.now);
    const shared = { ...settings, log, faults, derived, partnerId, origin, orders, journal };
    const app = createSandboxApp({
      ...shared,
      secretKey,
      apiPublicKey,
      keys: knownKeys,
    });
    const sender = startWebhookSender({
      ...shared,
      keys: knownKeys,
      form: createWireFormat(faults.quirks),
      privateKey: createPrivateKey(webhookPrivateKey),
    });
    const credentials = { partnerId, secretKey, apiPrivateKey, webhookPublicKey };
    return { app, origin, orders, sender, journal, credentials };
  });
  const { origin, orders, sender, journal, credentials } = await service.catch((error) => {
    state?.close();
    throw error;
  });
  const ownConsole = journal && {
    ...{ journal, orders, sender, faults, widgetUrl: origin, webhookUrl: settings.webhookUrl },
  };
  const sandboxConsole =
    ownConsole &&
    (await startConsole(ownConsole, consolePort ?? 0, host, consoleHosts).catch(async (error) => {
      sender.stop();
      await closeServer(server);
      state?.close();
      throw error;
    }));
  let closed: Promise<void> | undefined;
  return {
    widgetUrl: origin,
    baseUrl: origin,
    consoleUrl: sandboxConsole?.url,
    ...credentials,
    faults,
    orders: () => orders.listFinished(),
    async pay(url, payment = {}) {
      const { orderId } = await payInWidget(url, payment, fetch, () => lastRefusal);
      return orderId;
    },
    close() {
      sender.stop();
      closed ??= Promise.all([closeServer(server), sandboxConsole?.close()]).then(() =>
        state?.close(),
      );
      return closed;
    },
  };
}
