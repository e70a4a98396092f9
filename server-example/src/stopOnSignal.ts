import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { stopServer } from './http/stopServer.js';
import type { OpenShop } from './openShop.js';

/** The time that requests in flight have to finish. */
const DRAIN_MS = 7000;
/** The process exits after this time in any case: service managers kill after ten seconds. */
const SHUTDOWN_TIMEOUT_MS = 9500;
/** npm forwards a signal that the terminal has also sent, so a second one this soon is the same key press. */
const REPEAT_MS = 300;

/**
 * Stops in order on the first SIGTERM or SIGINT: no new connections, event streams and the search for
 * orders end, requests finish, the database is closed, and the process ends with 0. A second signal ends
 * it at once.
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
    // Together: a request may wait for what is ended, and what is ended for a request.
    await Promise.all([stopServer(server, DRAIN_MS), shop.stopBackgroundWork()]);
    await shop.close();
    logger.info('stopped');
    process.exit(0);
  } catch (err) {
    logger.error({ err }, 'shutdown failed');
    process.exit(1);
  }
}
