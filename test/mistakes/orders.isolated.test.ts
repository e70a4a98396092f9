import { describe, onTestFinished, vi } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.js';
import { createWebhookVerifier, memoryOrderStore } from '../../src/server/index.js';
import { createSandboxClient } from '../support/sandbox/createSandboxClient.js';
import { callHandler, createTestHandler } from '../support/server/createTestHandler.js';
import {
  createWebhook,
  webhookPublicKey,
  webhookTime,
  webhookUrl,
} from '../support/server/createWebhook.js';
import { fakeApi } from '../support/server/setUpTrackers.js';
import { testRuntime } from '../support/server/testRuntime.js';
import { startSite } from '../support/shop/startSite.js';
import { captureConsole } from './captureConsole.js';
import { testMistake } from './testMistake.js';

vi.mock(
  '../../src/sandbox/checkout/readWidgetFiles.js',
  () => import('../support/sandbox/fakeWidgetFiles.js'),
);

/** Creates a handler with a tracker. The handler verifies webhooks as if they were sent to `url`. */
async function backend(url: string) {
  // Loads a new copy of the package, because it warns only once that a tracker was not started.
  vi.resetModules();
  const { createOrderTracker } = await import(
    '../../src/server/orders/tracker/createOrderTracker.js'
  );
  const store = memoryOrderStore();
  const webhooks = createWebhookVerifier(
    { publicKey: webhookPublicKey, url },
    testRuntime({ now: () => webhookTime * 1000 }),
  );
  return createTestHandler({
    store,
    webhooks,
    tracker: createOrderTracker({ api: fakeApi(), store, deliver() {}, review() {} }),
  });
}

const deliver = async (handler: Awaited<ReturnType<typeof backend>>) => {
  const { headers, body } = createWebhook();
  await handler(
    new Request('https://shop.example/api/ramp/webhook', {
      method: 'POST',
      headers,
      body: body as BodyInit,
    }),
  );
};

describe('the log of a server with a tracker', () => {
  testMistake(32, async () => {
    const handler = await backend('https://shop.example/other/webhook');
    return captureConsole(() => deliver(handler));
  });

  testMistake(40, async () => {
    const handler = await backend(webhookUrl);
    return captureConsole(() => callHandler(handler));
  });
});

describe('the log of the sandbox', () => {
  testMistake(46, async () => {
    const site = await startSite(() => () => new Response('Not found', { status: 404 }));
    const lines: string[] = [];
    const sandbox = await startSandbox({
      stepMs: 10,
      webhookUrl: `${site.origin}/webhook`,
      log: (line) => lines.push(line),
    });
    onTestFinished(async () => {
      await sandbox.close();
      await site.close();
    });
    const { open, post } = createSandboxClient(sandbox, Date.now);
    const session = await open({ walletAddressLocked: '1' });
    const order = { fiatCurrency: 'USD', currencyAmount: '100', cryptoCurrencyCode: 'ETH' };
    await post('/home/orders', { session, ...order, email: 'ann@shop.example' });
    await vi.waitUntil(() => lines.length > 0, 20_000);
    return { text: lines.join('\n'), values: { origin: site.origin } };
  });
});
