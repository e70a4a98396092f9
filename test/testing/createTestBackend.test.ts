import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { RampError } from '../../src/protocol/errors/RampError.js';
import type { OrderToDeliver, Shopper } from '../../src/server/index.js';
import {
  createTestBackend,
  signedWebhook,
  type TestBackend,
  type TestBackendOptions,
  type TestShopper,
} from '../../src/testing/index.js';
import { mintListing } from '../support/sandbox/nftListings.js';

const walletAddress = '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e';
const policy: TestBackendOptions['policy'] = () => ({
  params: { walletAddress, walletAddressLocked: '1' },
});

function openBackend<User extends Shopper = Shopper, Context = unknown>(
  options?: TestBackendOptions<User, Context>,
): TestBackend<Context> {
  const backend = createTestBackend(options);
  onTestFinished(() => backend.close());
  return backend;
}

const readState = async (backend: TestBackend, reference: string) =>
  (await backend.fetch(`/api/ramp/checkouts/${reference}`)).json();

describe('two shoppers', () => {
  const openShop = () =>
    openBackend({
      context: { userId: 'ann' },
      getShopper: ({ context }: { context: { userId: string } }) => ({ id: context.userId }),
      policy: () => ({ params: { walletAddress } }),
    });

  it('see their own checkouts only', async () => {
    const backend = openShop();
    const bob = backend.as({ userId: 'bob' });
    const { reference } = await backend.openCheckout();
    const { reference: theirs } = await bob.openCheckout();
    const read = async (shopper: TestShopper, path: string) =>
      (await shopper.fetch(`/api/ramp/checkouts/${path}`)).status;
    expect(await read(backend, reference)).toBe(200);
    expect(await read(bob, theirs)).toBe(200);
    expect(await read(bob, reference)).toBe(404);
    expect(await read(backend, theirs)).toBe(404);
    expect(await read(backend.as({ userId: 'ann' }), reference)).toBe(200);
    expect(await read(backend.as({ userId: 'cid' }), reference)).toBe(404);
  });

  it('each get what they have paid', async () => {
    const backend = openShop();
    const { reference } = await backend.openCheckout();
    await backend.as({ userId: 'bob' }).openCheckout();
    await backend.pay(reference);
    await backend.finishOrder();
    expect(backend.deliveries).toMatchObject([{ checkout: { subject: 'ann' } }]);
  });

  it('are their contexts by default', async () => {
    const backend = openBackend({ context: { id: 'ann' }, policy });
    const bob = backend.as({ id: 'bob' });
    const { reference } = await bob.openCheckout();
    expect((await bob.fetch(`/api/ramp/checkouts/${reference}`)).status).toBe(200);
    expect((await backend.fetch(`/api/ramp/checkouts/${reference}`)).status).toBe(404);
    await backend.pay();
    await backend.finishOrder();
    expect(backend.deliveries).toMatchObject([{ checkout: { reference, subject: 'bob' } }]);
  });
});

describe('an order', () => {
  it('is delivered when its webhook arrives', async () => {
    const backend = openBackend({ policy });
    const { reference } = await backend.openCheckout({ selection: { amount: '120' } });
    const orderId = await backend.pay();
    expect(backend.orders()).toEqual([]);
    expect(await readState(backend, reference)).toMatchObject({ progress: 'waiting', orders: [] });
    const order = await backend.finishOrder();
    expect(order).toMatchObject({ orderId, ext: reference, currencyAmount: '120.00' });
    expect(backend.deliveries).toMatchObject([
      { orderId, checkout: { reference, subject: 'shopper' }, key: `${orderId}:deliver` },
    ]);
    expect(backend.reviews).toEqual([]);
    expect(await readState(backend, reference)).toMatchObject({ progress: 'finished' });
  });

  it('whose webhook is lost is delivered once, by the next sync', async () => {
    const backend = openBackend({ policy });
    await backend.openCheckout();
    backend.loseNextWebhook();
    await backend.pay();
    await backend.finishOrder();
    expect(backend.deliveries).toEqual([]);
    await backend.sync();
    await backend.sync();
    expect(backend.deliveries).toHaveLength(1);
  });

  it('whose webhook is lost is delivered by a poll of the backend', async () => {
    const backend = openBackend({ policy });
    backend.loseNextWebhook();
    await backend.openCheckout();
    await backend.pay();
    await backend.finishOrder();
    expect(backend.deliveries).toEqual([]);
    await backend.advance(120);
    expect(backend.deliveries).toHaveLength(1);
  });

  it('is delivered again until deliver succeeds', async () => {
    const errors: unknown[] = [];
    const calls: string[] = [];
    const deliver = ({ key }: OrderToDeliver) => {
      calls.push(key);
      if (calls.length < 3) throw new Error('The shop is down.');
    };
    const backend = openBackend({ policy, deliver, onError: (error) => errors.push(error) });
    await backend.openCheckout();
    await backend.pay();
    await backend.finishOrder();
    expect(backend.deliveries).toEqual([]);
    await backend.advance(3600);
    expect(calls).toHaveLength(3);
    expect(new Set(calls).size).toBe(1);
    expect(backend.deliveries).toHaveLength(1);
    expect(errors).toHaveLength(2);
  });

  it('to another wallet than the locked one is refused by the widget', async () => {
    const backend = openBackend({ policy });
    await backend.openCheckout();
    const payment = { walletAddress: '0x000000000000000000000000000000000000dEaD' };
    await expect(backend.pay(undefined, payment)).rejects.toMatchObject({
      code: 'ERR_PARAMS_INVALID',
      issues: [{ param: 'walletAddress' }],
    });
  });

  it('of another amount than the policy expects is reviewed', async () => {
    const expected = { expectedAmount: '100', expectedFiatCurrency: 'USD' };
    const backend = openBackend({
      policy: () => ({ params: { walletAddress }, ...expected }),
    });
    const { reference } = await backend.openCheckout();
    await backend.pay(reference, { amount: '150' });
    await backend.finishOrder();
    expect(backend.deliveries).toEqual([]);
    expect(backend.reviews).toMatchObject([
      { reason: 'amount', order: { checkout: { reference }, currencyAmount: '150.00' } },
    ]);
  });

  it('of a continued checkout has the amount that the page chose at first', async () => {
    const backend = openBackend({ policy });
    const selection = { amountFixed: '120', fiatCurrency: 'USD' };
    const { reference } = await backend.openCheckout({ selection });
    const { status } = await backend.fetch(`/api/ramp/checkouts/${reference}/continue`, {
      method: 'POST',
    });
    expect(status).toBe(200);
    await backend.pay(reference);
    expect((await backend.finishOrder()).currencyAmount).toBe('120.00');
  });

  it('is reviewed again until review succeeds', async () => {
    let calls = 0;
    const review = () => {
      calls += 1;
      if (calls < 3) throw new Error('The shop is down.');
    };
    const expected = { expectedAmount: '100', expectedFiatCurrency: 'USD' };
    const backend = openBackend({
      policy: () => ({ params: { walletAddress }, ...expected }),
      review,
      onError: () => {},
    });
    await backend.openCheckout();
    await backend.pay(undefined, { amount: '150' });
    await backend.finishOrder();
    expect(backend.reviews).toEqual([]);
    await backend.advance(3600);
    expect([calls, backend.reviews.length]).toEqual([3, 1]);
  });

  it("is reported to onError instead of reviewed with review: 'log'", async () => {
    const errors: unknown[] = [];
    const backend = openBackend({
      policy: () => ({
        ...{ params: { walletAddress }, expectedAmount: '100', expectedFiatCurrency: 'USD' },
      }),
      review: 'log',
      onError: (error) => errors.push(error),
    });
    await backend.openCheckout();
    await backend.pay(undefined, { amount: '150' });
    await backend.finishOrder();
    await backend.advance(3600);
    expect(errors).toMatchObject([{ code: 'ERR_ORDER_REVIEW' }]);
    expect(backend.reviews).toEqual([]);
  });

  it.each([
    ['finished', 1, 1],
    ['settled', 0, 1],
  ] as const)('of an NFT is delivered once, when it is %s', async (deliverAt, first, then) => {
    const backend = openBackend({ deliverAt });
    await backend.openCheckout({ widget: 'nft', params: mintListing });
    await backend.pay();
    expect(await backend.finishOrder()).toMatchObject({ orderStatus: 1 });
    expect(backend.deliveries).toHaveLength(first);
    expect(await backend.settleOrder()).toMatchObject({ orderStatus: 3 });
    expect(backend.deliveries).toHaveLength(then);
    expect(backend.deliveries[0]?.state).toBe(deliverAt);
  });

  it('that is not paid cannot finish', async () => {
    const backend = openBackend();
    await expect(backend.finishOrder()).rejects.toThrow('Call pay() first.');
    await expect(backend.pay()).rejects.toThrow('needs a checkout of this test backend');
  });
});

describe('a fault', () => {
  it.each(['forged-body', 'wrong-signature', 'old-timestamp', 'twice', 'late'] as const)(
    '%s does not deliver an order twice or never',
    async (fault) => {
      const backend = openBackend({ policy, onError: () => {} });
      backend.setFault(fault);
      await backend.openCheckout();
      await backend.pay();
      await backend.finishOrder();
      await backend.advance(120);
      expect(backend.deliveries).toHaveLength(1);
    },
  );

  it('api-down delays the delivery until it ends', async () => {
    const backend = openBackend({ policy, onError: () => {} });
    await backend.openCheckout();
    await backend.pay();
    backend.setFault('api-down');
    await backend.finishOrder();
    await expect(backend.sync()).rejects.toMatchObject({ code: 'ERR_NETWORK' });
    expect(backend.deliveries).toEqual([]);
    backend.setFault(undefined);
    await backend.advance(120);
    expect(backend.deliveries).toHaveLength(1);
  });
});

describe('openCheckout', () => {
  it('rejects with the code of the policy', async () => {
    const backend = openBackend({
      policy: () => {
        throw new RampError('ERR_POLICY_REFUSED', 'Sign in to buy.');
      },
    });
    await expect(backend.openCheckout()).rejects.toMatchObject({
      code: 'ERR_POLICY_REFUSED',
      message: 'Sign in to buy.',
    });
  });

  it('keeps the code of an error that Jest has created in another realm', async () => {
    const foreign = { name: 'RampError', code: 'ERR_POLICY_REFUSED', message: 'Sign in to buy.' };
    const backend = openBackend({ policy: () => Promise.reject(foreign) });
    await expect(backend.openCheckout()).rejects.toMatchObject({ message: 'Sign in to buy.' });
  });

  it('passes the context and the shopper to the policy', async () => {
    const seen: unknown[] = [];
    const backend = openBackend({
      context: { id: 'ann', wallet: walletAddress },
      getShopper: ({ context }: { context: { id: string; wallet: string } }) => context,
      policy: ({ shopper, context }) => {
        seen.push(shopper.id, context.id);
        return { params: { walletAddress: shopper.wallet } };
      },
    });
    const { params } = await backend.openCheckout();
    expect([seen, params.walletAddress]).toEqual([['ann', 'ann'], walletAddress]);
  });

  it('rejects with ERR_SIGNED_OUT if getShopper finds nobody', async () => {
    const backend = openBackend({ getShopper: () => undefined, policy });
    await expect(backend.openCheckout()).rejects.toMatchObject({ code: 'ERR_SIGNED_OUT' });
  });
});

describe('fetch', () => {
  let backend: TestBackend;
  afterEach(() => backend.close());

  it('returns fixed prices', async () => {
    backend = createTestBackend({ prices: { USDT: '2' } });
    const query = 'fiatCurrency=USD&currencyAmount=100&cryptoCurrencyCode=USDT_ERC20';
    const { quote } = await (await backend.fetch(`/api/ramp/quote?${query}`)).json();
    expect(quote).toMatchObject({ cryptoCurrencyUnitPrice: '2.00000000' });
  });

  it('returns the states of an order to a page that polls', async () => {
    backend = createTestBackend({ policy });
    const { reference } = await backend.openCheckout();
    const poll = async () => {
      const response = await backend.fetch(`/api/ramp/checkouts?references=${reference}`);
      return (await response.json()).named[0].progress;
    };
    expect(await poll()).toBe('waiting');
    await backend.pay();
    await backend.finishOrder();
    expect(await poll()).toBe('finished');
  });

  it('reaches only the shop', async () => {
    backend = createTestBackend();
    await expect(backend.fetch('https://other.example/api')).rejects.toThrow('only the shop');
  });

  it('accepts a webhook of signedWebhook, and refuses a changed one', async () => {
    backend = createTestBackend({ onError: () => {} });
    const { url, headers, ...rest } = signedWebhook({ ext: 'r1' });
    expect((await backend.fetch(url, { headers, ...rest })).status).toBe(200);
    const changed = { ...headers, 'X-Fp-Nonce': '1' };
    expect((await backend.fetch(url, { headers: changed, ...rest })).status).toBe(401);
  });
});

describe('the clock', () => {
  it('expires a checkout after its time', async () => {
    const backend = openBackend({ policy });
    const { reference } = await backend.openCheckout();
    const before = backend.now();
    await backend.advance(2 * 86_400);
    expect(backend.now() - before).toBeGreaterThanOrEqual(2 * 86_400_000);
    expect(await readState(backend, reference)).toMatchObject({ progress: 'expired' });
  });
});

it('createTestBackend refuses to run in production', () => {
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    expect(() => createTestBackend()).toThrow('NODE_ENV=production');
  } finally {
    process.env.NODE_ENV = NODE_ENV;
  }
});
