import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createConfigError } from '../protocol/errors/RampError.js';

/**
 * Ports that no system gives to a connection or to a server that listens on port 0. Otherwise the sandbox, which starts
 * before the shop, could get the shop's port.
 */
const [FIRST_PORT, LAST_PORT] = [20_000, 32_767];

/** A random start keeps workers apart that run at the same time. */
let nextPort = randomInt(FIRST_PORT, LAST_PORT);

/** Returns a port on which nothing listens, in IPv4 or IPv6, because `localhost` may be either. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = nextPort;
    nextPort = port < LAST_PORT ? port + 1 : FIRST_PORT;
    if (await canListen(port)) return port;
  }
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port), 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' || code === 'EACCES') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}

const LIMIT_MS = 60_000;
const POLL_MS = 100;

/** Waits until a server responds, with any status. @throws RampError `ERR_CONFIG_INVALID` after a minute. */
export async function waitForShop(url: string, limitMs = LIMIT_MS): Promise<void> {
  const endMs = performance.now() + limitMs;
  while (!(await responds(url))) {
    if (performance.now() > endMs)
      throw createConfigError(
        'addRampFixtures',
        `started the shop, and nothing responds at ${url} after ${limitMs / 1000} seconds. Let startShop start a server on the given port.`,
      );
    await delay(POLL_MS);
  }
}

const responds = (url: string): Promise<boolean> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5000) }).then(
    (response) => {
      response.body?.cancel().catch(() => {});
      return true;
    },
    () => false,
  );
