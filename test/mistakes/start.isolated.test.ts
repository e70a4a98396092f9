import { afterEach, describe, vi } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.js';
import {
  createOrderTracker,
  createPartnerApi,
  createWebhookVerifier,
  createWidgetSigner,
  memoryOrderStore,
} from '../../src/server/index.js';
import { createTestHandler, secretKey } from '../support/server/createTestHandler.js';
import { webhookPublicKey, webhookUrl } from '../support/server/createWebhook.js';
import { fakeApi } from '../support/server/setUpTrackers.js';
import { readThrown } from './readThrown.js';
import { testMistake } from './testMistake.js';

afterEach(() => vi.unstubAllEnvs());

const unset = undefined as never;

describe('a server that starts with a mistake', () => {
  testMistake(1, () => readThrown(() => createWidgetSigner({ partnerId: unset, secretKey })));
  testMistake(2, () => readThrown(() => createWidgetSigner({ partnerId: 'p1', secretKey: unset })));
  testMistake(3, () =>
    readThrown(() =>
      createPartnerApi({ baseUrl: 'https://api.example', partnerId: 'p1', privateKey: unset }),
    ),
  );
  testMistake(4, () =>
    readThrown(() => createWidgetSigner({ partnerId: 'p1', secretKey: `${secretKey}\n` })),
  );
  testMistake(5, () => readThrown(() => createTestHandler({ policy: unset })));
  testMistake(6, () => readThrown(() => createTestHandler({ signer: unset })));
  testMistake(7, () => readThrown(() => createTestHandler({ allowedOrigins: unset })));
  testMistake(8, () =>
    readThrown(() => createTestHandler({ allowedOrigins: ['https://shop.example/'] })),
  );
  testMistake(9, () => readThrown(() => createTestHandler({ allowedOrigins: ['*'] })));
  testMistake(27, () => {
    vi.stubEnv('NODE_ENV', 'production');
    return readThrown(() => startSandbox());
  });
  testMistake(41, () =>
    readThrown(() => {
      const tracker = createOrderTracker({ api: fakeApi(), store: memoryOrderStore() });
      return createTestHandler({ tracker, store: memoryOrderStore() });
    }),
  );
  testMistake(44, () =>
    readThrown(() =>
      createWebhookVerifier({
        publicKey: webhookPublicKey.replaceAll('\n', '\\n'),
        url: webhookUrl,
        replays: memoryOrderStore(),
      }),
    ),
  );
});
