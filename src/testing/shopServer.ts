import { setTimeout as delay } from 'node:timers/promises';
import { createConfigError } from '../protocol/errors/RampError.js';

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
