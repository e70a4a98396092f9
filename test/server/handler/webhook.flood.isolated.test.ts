import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createWebhookVerifier, memoryOrderStore } from '../../../src/server/index.js';
import { createOrderTracker } from '../../../src/server/orders/tracker/createOrderTracker.js';
import { createTestHandler } from '../../support/server/createTestHandler.js';
import {
  createWebhook,
  webhookPublicKey,
  webhookTime,
} from '../../support/server/createWebhook.js';
import { onRampCheckout, onRampOrder } from '../../support/server/orderFixtures.js';
import { caseStep } from '../../support/server/sampleCases.js';
import { fakeApi } from '../../support/server/setUpTrackers.js';
import { testRuntime } from '../../support/server/testRuntime.js';

const COUNT = 5000 / caseStep(10);
const url = 'https://shop.example/api/ramp/webhook';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it(`${COUNT} webhooks cause two syncs, and the second one finds the last order`, {
  timeout: 60_000,
}, async () => {
  const store = memoryOrderStore();
  const api = fakeApi();
  const clock = () => webhookTime * 1000;
  const delivered: string[] = [];
  const tracker = createOrderTracker(
    {
      api,
      store,
      deliver: ({ key }) => void delivered.push(key),
      review: () => {},
    },
    testRuntime({ now: clock }),
  );
  const webhooks = createWebhookVerifier(
    { publicKey: webhookPublicKey, url },
    testRuntime({ now: clock }),
  );
  const handler = createTestHandler({ store, tracker, webhooks }, { now: clock });
  await store.saveCheckout(
    onRampCheckout({ reference: 'last', createdAt: webhookTime, expiresAt: webhookTime + 600 }),
  );
  tracker.start();
  // Each sync reads the newest orders once, up to the present. The daily reading ends before that.
  const countSyncs = () => api.ranges.filter(({ endTime }) => endTime >= webhookTime).length;
  await vi.advanceTimersByTimeAsync(0);
  expect(countSyncs()).toBe(1);

  for (let sent = 0; sent < COUNT; sent += 100) {
    const requests = Array.from({ length: 100 }, (_, i) =>
      createWebhook({ url, nonce: 100_000 + sent + i, body: { ext: 'last' } }),
    );
    const responses = await Promise.all(
      requests.map(({ headers, body }) =>
        handler(new Request(url, { method: 'POST', headers, body: body as never })),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    if (sent === 0) await vi.advanceTimersByTimeAsync(1000);
    // If these webhooks caused a sync without a delay, let it start here, so that the count below includes it.
    await vi.advanceTimersByTimeAsync(0);
  }
  api.orders = [onRampOrder({ ext: 'last', finishTime: webhookTime })];
  await vi.advanceTimersByTimeAsync(1000);
  expect(countSyncs() - 1).toBe(2);
  expect(delivered).toEqual(['o1:deliver']);
  await tracker.stop();
});
