import type { SandboxOptions } from '@partner-ramp/react/sandbox';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pay, requestCheckout, type SandboxShop, sandboxShop } from '../support/sandboxShop.js';

let running: SandboxShop | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function shopWith(options: SandboxOptions = {}, pollSeconds = 600) {
  running = await sandboxShop({ pollSeconds }, options);
  const { shop, sandbox } = running;
  const shopper = await shop.visit();
  const operator = await shop.visit();
  await operator.login();
  /** Returns what the operator page shows: the state of each order, and the number of webhooks by outcome. */
  const known = async () => {
    const { orders } = await operator.json('/api/operator/orders');
    const { webhooks } = await operator.json('/api/operator/overview');
    const counts: Record<string, number> = {};
    for (const { outcome, reason, count } of webhooks) {
      const kind = reason ? `${outcome}: ${reason}` : outcome;
      counts[kind] = (counts[kind] ?? 0) + count;
    }
    return { orders, counts };
  };
  return { shop, sandbox, shopper, known };
}

const WAIT = { timeout: 20_000, interval: 100 };
const long = { timeout: 60_000 };

describe('A webhook of the sandbox', long, () => {
  it('triggers a sync that delivers the order before the next scheduled one', async () => {
    const { sandbox, shopper, known } = await shopWith();
    const checkout = await requestCheckout(shopper);
    await pay(sandbox, checkout);
    await vi.waitFor(async () => {
      const { orders, counts } = await known();
      expect(orders).toMatchObject([
        {
          matchStatus: 'matched',
          state: 'finished',
          fulfilment: 'delivered',
          reference: checkout.reference,
        },
      ]);
      expect(counts).toEqual({ accepted: 1 });
    }, WAIT);
    const { checkouts } = await shopper.json('/api/ramp/checkouts');
    expect(checkouts).toMatchObject([{ reference: checkout.reference }]);
    const state = await shopper.json(`/api/ramp/checkouts/${checkout.reference}`);
    expect(state.progress).toBe('finished');
  });

  it.each([
    ['twice', { accepted: 1, replayed: 1 }],
    ['forged-body', { accepted: 1 }],
  ] as const)('%s: the order is delivered once', async (webhookFault, expected) => {
    const { sandbox, shopper, known } = await shopWith({ webhookFault });
    await pay(sandbox, await requestCheckout(shopper));
    await vi.waitFor(async () => {
      const { orders, counts } = await known();
      expect(orders).toMatchObject([{ fulfilment: 'delivered' }]);
      expect(counts).toEqual(expected);
    }, WAIT);
  });

  it.each([
    ['lost', {}],
    ['wrong-signature', { 'refused: signature': 1 }],
    ['old-timestamp', { 'refused: timestamp': 1 }],
  ] as const)('%s: the order is found in the order list', async (webhookFault, expected) => {
    const { sandbox, shopper, known } = await shopWith({ webhookFault }, 1);
    await pay(sandbox, await requestCheckout(shopper));
    await vi.waitFor(async () => {
      const { orders, counts } = await known();
      expect(orders).toMatchObject([{ fulfilment: 'delivered' }]);
      expect(counts).toEqual(expected);
    }, WAIT);
  });

  it('is not rate limited, and forged webhooks do not use up the limits of a shopper', async () => {
    const { shop, shopper, known } = await shopWith();
    const headers = {
      'X-Fp-Timestamp': `${Math.floor(Date.now() / 1000)}`,
      'X-Fp-Nonce': '123456',
      'X-Fp-Signature': 'AAAA',
    };
    const statuses = new Set<number>();
    for (let index = 0; index < 400; index++)
      statuses.add(
        (await fetch(`${shop.url}/api/ramp/webhook`, { method: 'POST', headers, body: '{}' }))
          .status,
      );
    expect([...statuses]).toEqual([401]);
    expect((await shopper.checkout()).status).toBe(201);
    await vi.waitFor(
      async () => expect((await known()).counts).toEqual({ 'refused: signature': 400 }),
      WAIT,
    );
  });
});
