import { describe, expect, it } from 'vitest';
import { memoryOrderStore } from '../../../../src/server/index.js';
import { createOrderTracker } from '../../../../src/server/orders/tracker/createOrderTracker.js';
import { createRandom } from '../../../simulation/random.js';
import { fakeOrderList, type ListedOrder } from '../../../support/server/fakeOrderList.js';
import { onRampCheckout } from '../../../support/server/orderFixtures.js';
import { caseStep } from '../../../support/server/sampleCases.js';
import { createTestApi, setUpUpstream } from '../../../support/server/startUpstream.js';

const COUNT = 10_000 / caseStep(10);
const FAILING = 0.3;
const DAY = 86_400;
const long = { timeout: 120_000 };

const upstream = setUpUpstream();

describe(`${COUNT} orders without webhooks, and ${FAILING * 100} % failed responses`, () => {
  it(
    'are complete after at most two syncs, and each is delivered or reviewed once',
    long,
    async () => {
      const now = Math.floor(Date.now() / 1000);
      const orders = Array.from(
        { length: COUNT },
        (_, i): ListedOrder => ({
          orderId: `order-${i}`,
          finishTime: now - 3 * DAY + Math.floor((i * 3 * DAY) / COUNT),
          ext: i % 10 === 0 ? `theirs-${i}` : `ours-${i}`,
        }),
      );
      // With other random numbers, both syncs may fail.
      const random = createRandom('1', 'responses');
      const list = fakeOrderList(orders, () => random.chance(FAILING));
      upstream.respondWith(list.answer);
      const store = memoryOrderStore();
      for (const { ext } of orders)
        if (ext?.startsWith('ours')) await store.saveCheckout(onRampCheckout({ reference: ext }));

      const delivered = new Map<string, number>();
      const counts = { delivered: 0, 'no-checkout': 0, other: 0 };
      const count = (key: string, what: keyof typeof counts) => {
        delivered.set(key, (delivered.get(key) ?? 0) + 1);
        counts[what]++;
      };
      const tracker = createOrderTracker({
        // With a random number of -1 the jitter cancels the backoff, so retries follow immediately.
        api: createTestApi(upstream, {}, { random: () => -1 }),
        store,
        deliver: ({ key }) => count(key, 'delivered'),
        review: ({ key }, reason) => count(key, reason === 'no-checkout' ? reason : 'other'),
      });
      let syncs = 0;
      while (delivered.size < COUNT && syncs < 2) {
        syncs++;
        await tracker.sync().catch(() => {});
      }
      process.stdout.write(
        `${COUNT} orders: ${syncs} sync(s), ${list.requests} requests, ${list.failures} failed\n`,
      );
      expect(list.failures).toBeGreaterThan(10);
      expect(delivered.size).toBe(COUNT);
      expect([...new Set(delivered.values())]).toEqual([1]);
      expect(counts).toEqual({ delivered: COUNT * 0.9, 'no-checkout': COUNT * 0.1, other: 0 });
    },
  );
});
