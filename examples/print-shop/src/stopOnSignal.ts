import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { OpenShop } from './openShop.js';

/** How long requests in flight may take to finish. */
const DRAIN_MS = 7000;
/** The time after which the process exits anyway. Service managers commonly kill a process after ten seconds. */
const SHUTDOWN_TIMEOUT_MS = 9500;
/**
 * The time within which a second signal is ignored. When you press Ctrl+C, both the terminal and npm send the signal.
 */
const REPEAT_MS = 300;

/**
 * Shuts down gracefully on the first SIGTERM or SIGINT: refuses new connections, ends syncs, lets
 * requests finish, closes the database, and exits with code 0. A second signal after REPEAT_MS exits immediately.
 */
export function stopOnSignal(server: Server, shop: OpenShop, logger: Logger): void {
  let stoppingSince: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stoppingSince === undefined) {
      stoppingSince = performance.now();
      logger.info({ signal }, 'stopping');
      void stopInOrder(server, shop, logger);
    } else if (performance.now() - stoppingSince > REPEAT_MS) process.exit(1);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
}

async function stopInOrder(server: Server, shop: OpenShop, logger: Logger): Promise<void> {
  const timeout = setTimeout(() => {
    logger.error('shutdown timed out');
    process.exit(1);
  }, SHUTDOWN_TIMEOUT_MS);
  timeout.unref();
  try {
    // Stop the server and the background work at the same time, because requests can wait for background work, and
    // background work for requests.
    await Promise.all([stopServer(server, DRAIN_MS), shop.stopBackgroundWork()]);
    await shop.close();
    logger.info('stopped');
    process.exit(0);
  } catch (err) {
    logger.error({ err }, 'shutdown failed');
    process.exit(1);
  }
}

/**
 * Stops accepting connections and waits for the requests in flight. After `drainMs` it closes the
 * connections that remain.
 */
export function stopServer(server: Server, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), drainMs);
    // Browsers keep idle connections open, which would delay the stop.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearTimeout(late);
      clearInterval(idle);
      resolve();
    });
  });
}
