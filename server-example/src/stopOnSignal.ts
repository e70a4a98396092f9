import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { stopServer } from './http/startServer.js';
import type { OpenShop } from './openShop.js';

/** Requests under way have so long to finish. */
const DRAIN_MS = 7000;
/** It is over by then, whatever hangs: service managers kill after ten seconds. */
const LAST_MS = 9500;
/** npm passes on what the terminal has sent already: so soon it is the same key press. */
const SAME_MS = 300;

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
    } else if (performance.now() - stoppingSince > SAME_MS) process.exit(1);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
}

async function stopInOrder(server: Server, shop: OpenShop, logger: Logger): Promise<void> {
  const last = setTimeout(() => {
    logger.error('shutdown timed out');
    process.exit(1);
  }, LAST_MS);
  last.unref();
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
