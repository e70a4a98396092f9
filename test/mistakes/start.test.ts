import { afterEach, describe, vi } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.js';
import {
  createOrderTracker,
  createPartnerApi,
  createWebhookVerifier,
  createWidgetSigner,
  memoryOrderStore,
} from '../../src/server/index.js';
import { makeHandler, secretKey } from '../support/ramp-handler.js';
import { fakeApi } from '../support/tracker.js';
import { webhookPublicKey, webhookUrl } from '../support/webhooks.js';
import { itShows } from './itShows.js';

afterEach(() => vi.unstubAllEnvs());

/** What the process prints when it starts, without the stack trace. */
async function thrown(start: () => unknown): Promise<string> {
  try {
    await start();
  } catch (error) {
    const { name, message } = error as Error;
    return `${name}: ${message}`;
  }
  throw new Error('It did not throw.');
}

const unset = undefined as never;

describe('a server that starts with a mistake', () => {
  itShows(1, () => thrown(() => createWidgetSigner({ partnerId: unset, secretKey })));
  itShows(2, () => thrown(() => createWidgetSigner({ partnerId: 'p1', secretKey: unset })));
  itShows(3, () =>
    thrown(() =>
      createPartnerApi({ baseUrl: 'https://api.example', partnerId: 'p1', privateKey: unset }),
    ),
  );
  itShows(4, () =>
    thrown(() => createWidgetSigner({ partnerId: 'p1', secretKey: `${secretKey}\n` })),
  );
  itShows(5, () => thrown(() => makeHandler({ policy: unset })));
  itShows(6, () => thrown(() => makeHandler({ signer: unset })));
  itShows(7, () => thrown(() => makeHandler({ allowedOrigins: unset })));
  itShows(8, () => thrown(() => makeHandler({ allowedOrigins: ['https://shop.example/'] })));
  itShows(9, () => thrown(() => makeHandler({ allowedOrigins: ['*'] })));
  itShows(27, () => {
    vi.stubEnv('NODE_ENV', 'production');
    return thrown(() => startSandbox());
  });
  itShows(41, () =>
    thrown(() => {
      const tracker = createOrderTracker({ api: fakeApi(), store: memoryOrderStore() });
      return makeHandler({ tracker, store: memoryOrderStore() });
    }),
  );
  itShows(44, () =>
    thrown(() =>
      createWebhookVerifier({
        publicKey: webhookPublicKey.replaceAll('\n', '\\n'),
        url: webhookUrl,
        replays: memoryOrderStore(),
      }),
    ),
  );
});
