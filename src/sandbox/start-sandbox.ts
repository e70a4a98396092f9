import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import { RampError } from '../protocol/ramp-error.js';
import { randomKey } from './random-key.js';
import type { SandboxOrder } from './SandboxOrder.js';
import { sandboxApp } from './sandbox-app.js';
import { checkedOptions, refuseProduction, type SandboxOptions } from './sandbox-options.js';
import { sandboxOrders } from './sandbox-orders.js';

/** A running sandbox. */
export interface Sandbox {
  /** Address of the hosted widget, without `/home`: `http://127.0.0.1:PORT`. */
  readonly widgetUrl: string;
  /** Address of the partner API. */
  readonly baseUrl: string;
  /** 16 letters and digits, made at start. */
  readonly partnerId: string;
  /** 32 letters and digits, made at start: the key of widget URLs. */
  readonly secretKey: string;
  /** Every order that is finished by now, oldest first; at most the last 10,000 are kept. */
  orders(): SandboxOrder[];
  /** Stops listening and ends open connections. May be called again. */
  close(): Promise<void>;
}

/**
 * Starts the service on loopback: the hosted widget (section 4.7), which verifies URLs as section
 * 5.3 says. It makes its own keys, keeps everything in memory, and reaches out to nothing.
 *
 * @throws RampError `ERR_CONFIG_INVALID` under NODE_ENV=production, for a host that is not
 * loopback, for an option that makes no sense, and when the port is taken.
 * @example
 * const sandbox = await startSandbox({ port: 4010 });
 * const signer = createWidgetSigner(sandbox);
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  refuseProduction(process.env);
  const { port, host, ...settings } = checkedOptions(options);
  const keys = { partnerId: randomKey(16), secretKey: randomKey(32) };
  const orders = sandboxOrders(settings);
  const app = sandboxApp({ ...keys, ...settings, orders });
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false });
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${await listen(server, port, host)}`;
  let closed: Promise<void> | undefined;
  return {
    widgetUrl: url,
    baseUrl: url,
    ...keys,
    orders: () => orders.finished(),
    close() {
      closed ??= close(server);
      return closed;
    },
  };
}

function listen(server: ServerType, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'is taken' : `cannot be had (${cause.code})`;
      reject(
        new RampError('ERR_CONFIG_INVALID', `Sandbox: port ${port} on ${host} ${why}.`, { cause }),
      );
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // A page that still polls would hold the server open.
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
}
