import { afterEach, describe, vi } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.js';
import {
  createOrderTracker,
  createPartnerApi,
  createWebhookVerifier,
  createWidgetSigner,
  memoryOrderStore,
} from '../../src/server/index.js';
import { testMistake } from '../support/mistakes/testMistake.js';
import { createTestHandler, secretKey } from '../support/server/createTestHandler.js';
import { webhookPublicKey, webhookUrl } from '../support/server/createWebhook.js';
import { fakeApi } from '../support/server/setUpTrackers.js';

afterEach(() => vi.unstubAllEnvs());

/** Returns the error that a process prints at its start, without the stack trace. */
async function thrown(start: () => unknown): Promise<string> {
  try {
    await start();
  } catch (error) {
    const { name, message } = error as Error;
    return `${name}: ${message}`;
  }
  throw new Error('The start did not throw.');
}

const unset = undefined as never;

describe('a server that starts with a mistake', () => {
  testMistake(1, () => thrown(() => createWidgetSigner({ partnerId: unset, secretKey })));
  testMistake(2, () => thrown(() => createWidgetSigner({ partnerId: 'p1', secretKey: unset })));
  testMistake(3, () =>
    thrown(() =>
      createPartnerApi({ baseUrl: 'https://api.example', partnerId: 'p1', privateKey: unset }),
    ),
  );
  testMistake(4, () =>
    thrown(() => createWidgetSigner({ partnerId: 'p1', secretKey: `${secretKey}\n` })),
  );
  testMistake(5, () => thrown(() => createTestHandler({ policy: unset })));
  testMistake(6, () => thrown(() => createTestHandler({ signer: unset })));
  testMistake(7, () => thrown(() => createTestHandler({ allowedOrigins: unset })));
  testMistake(8, () =>
    thrown(() => createTestHandler({ allowedOrigins: ['https://shop.example/'] })),
  );
  testMistake(9, () => thrown(() => createTestHandler({ allowedOrigins: ['*'] })));
  testMistake(27, () => {
    vi.stubEnv('NODE_ENV', 'production');
    return thrown(() => startSandbox());
  });
  testMistake(41, () =>
    thrown(() => {
      const tracker = createOrderTracker({ api: fakeApi(), store: memoryOrderStore() });
      return createTestHandler({ tracker, store: memoryOrderStore() });
    }),
  );
  testMistake(44, () =>
    thrown(() =>
      createWebhookVerifier({
        publicKey: webhookPublicKey.replaceAll('\n', '\\n'),
        url: webhookUrl,
        replays: memoryOrderStore(),
      }),
    ),
  );
});
