import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Sandbox, startSandbox, type WebhookFault } from '../../../src/sandbox/index.js';
import {
  createRamp,
  type DeliverAt,
  memoryOrderStore,
  type OrderToDeliver,
  type OrderToReview,
  type WebhookError,
} from '../../../src/server/index.js';
import { createSandboxClient } from '../../support/sandbox/createSandboxClient.js';
import { mintListing } from '../../support/sandbox/nftListings.js';
import { wallet } from '../../support/sandbox/signQuery.js';
import { type Site, startSite } from '../../support/shop/startSite.js';

vi.mock(
  '../../../src/sandbox/checkout/readWidgetFiles.js',
  () => import('../../support/sandbox/fakeWidgetFiles.js'),
);

let close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const each of close) await each();
  close = [];
});

/** Starts a sandbox, and a partner's backend that receives the webhooks of the sandbox. */
async function partner(webhookFault?: WebhookFault, deliverAt?: DeliverAt) {
  const responseStatuses: number[] = [];
  const refused: string[] = [];
  const delivered: OrderToDeliver[] = [];
  const reviewed: OrderToReview[] = [];
  const store = memoryOrderStore();
  let handler: ((request: Request) => Promise<Response>) | undefined;
  const site: Site = await startSite(() => async (request) => {
    const response = (await handler?.(request)) ?? new Response(null, { status: 503 });
    responseStatuses.push(response.status);
    return response;
  });
  const webhookUrl = `${site.origin}/api/ramp/webhook`;
  const settings = { stepMs: 10, settleMs: 10, webhookUrl, log: () => {} };
  const sandbox: Sandbox = await startSandbox({
    ...settings,
    ...(webhookFault && { webhookFault }),
  });
  const ramp = createRamp({
    apiUrl: sandbox.baseUrl,
    partnerId: sandbox.partnerId,
    secretKey: sandbox.secretKey,
    apiPrivateKey: sandbox.apiPrivateKey,
    webhookPublicKey: sandbox.webhookPublicKey,
    webhookUrl,
    store,
    allowedOrigins: [site.origin],
    getShopper: () => ({ id: 'u1' }),
    policy: ({ widget }) => ({
      params: widget === 'nft' ? mintListing : { walletAddress: wallet, walletAddressLocked: '1' },
    }),
    deliver: (order) => void delivered.push(order),
    review: (order) => void reviewed.push(order),
    deliverAt,
    onError: (error) => refused.push((error as WebhookError).reason),
  });
  handler = ramp.handler;
  close = [() => ramp.stop(), () => sandbox.close(), () => site.close()];

  /** Opens a checkout at the partner's backend and pays it in the sandbox. */
  async function buy(widget: 'on-ramp' | 'nft'): Promise<string> {
    const response = await fetch(`${site.origin}/api/ramp/checkouts`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: site.origin },
      body: JSON.stringify({ widget, params: {} }),
    });
    responseStatuses.pop();
    const { reference, params } = await response.json();
    const client = createSandboxClient(sandbox, Date.now);
    const { session } = await client.data(
      `${sandbox.widgetUrl}/home?${new URLSearchParams(params)}`,
    );
    const order =
      widget === 'nft'
        ? { fiatCurrency: 'USD' }
        : { fiatCurrency: 'USD', currencyAmount: '100', cryptoCurrencyCode: 'ETH' };
    if (widget === 'nft') await client.post('/home/quote', { session, ...order });
    const { status } = await client.post('/home/orders', {
      session,
      ...order,
      email: 'ann@shop.example',
    });
    expect(status).toBe(201);
    return reference;
  }
  /** The states of the delivered orders. No order may be reviewed. */
  const shipped = () => {
    expect(reviewed).toEqual([]);
    return delivered.map(({ state }) => state);
  };
  return { sandbox, store, ramp, buy, responseStatuses, refused, delivered, shipped };
}

describe('A webhook of the sandbox', () => {
  it('is verified, and its order is found immediately', async () => {
    const { ramp, buy, responseStatuses, shipped, delivered } = await partner();
    ramp.start();
    const reference = await buy('on-ramp');
    await vi.waitFor(() => expect(shipped()).toEqual(['finished']), 10_000);
    // A sync may deliver the order before the backend has responded to the webhook, so wait for the response.
    await vi.waitFor(() => expect(responseStatuses).toEqual([200]), 10_000);
    expect(delivered[0]?.checkout.reference).toBe(reference);
  });

  it('announces an NFT order until it is settled', async () => {
    const { ramp, buy, shipped, store } = await partner(undefined, 'settled');
    ramp.start();
    const reference = await buy('nft');
    await vi.waitFor(() => expect(shipped()).toEqual(['settled']), 10_000);
    expect((await store.findCheckout(reference))?.orders).toHaveLength(1);
  });
});

describe('A webhook with an injected fault', () => {
  it.each<[WebhookFault, number[], string[]]>([
    ['lost', [], []],
    ['twice', [200, 200], []],
    ['forged-body', [200], []],
    ['wrong-signature', [401], ['signature']],
    ['old-timestamp', [401], ['timestamp']],
  ])('%s: the order is delivered once after a sync', async (fault, statuses, reasons) => {
    const { ramp, buy, responseStatuses, refused, shipped, store } = await partner(fault);
    const reference = await buy('on-ramp');
    await vi.waitFor(() => expect(responseStatuses).toEqual(statuses), 10_000);
    await ramp.sync();
    await ramp.sync();
    expect(responseStatuses).toEqual(statuses);
    expect(shipped()).toEqual(['finished']);
    expect(refused).toEqual(reasons);
    expect((await store.findCheckout(reference))?.orders).toHaveLength(1);
  });

  it('late: the order that a sync has delivered is not delivered again', async () => {
    const { ramp, buy, responseStatuses, shipped } = await partner('late');
    await buy('on-ramp');
    await ramp.sync();
    await vi.waitFor(() => expect(responseStatuses).toEqual([200]), 10_000);
    await ramp.sync();
    expect(shipped()).toEqual(['finished']);
  });

  it('out of order: both are delivered once', async () => {
    const { ramp, buy, responseStatuses, shipped } = await partner('out-of-order');
    await buy('on-ramp');
    await buy('on-ramp');
    await vi.waitFor(() => expect(responseStatuses).toEqual([200, 200]), 10_000);
    await ramp.sync();
    expect(shipped()).toEqual(['finished', 'finished']);
  });
});

describe('startSandbox with webhookUrl', () => {
  it.each(['https://shop.example/hook', 'http://10.0.0.1/hook', 'nowhere'])(
    'rejects the address %s',
    async (webhookUrl) => {
      await expect(startSandbox({ webhookUrl })).rejects.toMatchObject({
        code: 'ERR_CONFIG_INVALID',
      });
    },
  );

  it('rejects an unknown webhookFault', async () => {
    await expect(startSandbox({ webhookFault: 'odd' as never })).rejects.toThrow('lost, late');
  });
});
