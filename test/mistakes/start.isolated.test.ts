import { afterEach, describe, vi } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.js';
import { secretKey } from '../support/server/createTestHandler.js';
import { createTestRamp } from '../support/server/createTestRamp.js';
import { webhookPublicKey, webhookUrl } from '../support/server/createWebhook.js';
import { readThrown } from './readThrown.js';
import { testMistake } from './testMistake.js';

afterEach(() => vi.unstubAllEnvs());

const unset = undefined as never;

describe('a server that starts with a mistake', () => {
  testMistake(1, () => readThrown(() => createTestRamp({ partnerId: unset })));
  testMistake(2, () => readThrown(() => createTestRamp({ secretKey: unset })));
  testMistake(3, () => readThrown(() => createTestRamp({ apiPrivateKey: unset })));
  testMistake(4, () => readThrown(() => createTestRamp({ secretKey: `${secretKey}\n` })));
  testMistake(5, () => readThrown(() => createTestRamp({ policy: unset })));
  testMistake(6, () => readThrown(() => createTestRamp({ getShopper: unset })));
  testMistake(7, () => readThrown(() => createTestRamp({ allowedOrigins: unset })));
  testMistake(8, () =>
    readThrown(() => createTestRamp({ allowedOrigins: ['https://shop.example/'] })),
  );
  testMistake(9, () => readThrown(() => createTestRamp({ allowedOrigins: ['*'] })));
  testMistake(27, () => {
    vi.stubEnv('NODE_ENV', 'production');
    return readThrown(() => startSandbox());
  });
  testMistake(41, () => readThrown(() => createTestRamp({ webhookUrl })));
  testMistake(44, () =>
    readThrown(() =>
      createTestRamp({
        webhookPublicKey: webhookPublicKey.replaceAll('\n', '\\n'),
        webhookUrl,
      }),
    ),
  );
});
