import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Sandbox, startSandbox, type WebhookFault } from '../../../src/sandbox/index.js';
import {
  createOrderTracker,
  createPartnerApi,
  createRampHandler,
  createWebhookVerifier,
  createWidgetSigner,
  memoryOrderStore,
  type OrderTracker,
  type PendingChange,
  type WebhookError,
} from '../../../src/server/index.js';
import { type Site, startSite } from '../../support/demo/startSite.js';
import { createSandboxClient } from '../../support/sandbox/createSandboxClient.js';
import { mintListing } from '../../support/sandbox/nftListings.js';
import { wallet } from '../../support/sandbox/signQuery.js';

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
async function partner(webhookFault?: WebhookFault) {
  const responseStatuses: number[] = [];
  const refused: string[] = [];
  const changes: PendingChange[] = [];
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
  const tracker: OrderTracker = createOrderTracker({
    api: createPartnerApi({ ...sandbox, privateKey: sandbox.apiPrivateKey }),
    store,
    onOrderChange: (change) => void changes.push(change),
  });
  handler = createRampHandler({
    signer: createWidgetSigner(sandbox),
    allowedOrigins: [site.origin],
    policy: ({ widget }) => ({
      params: widget === 'nft' ? mintListing : { walletAddress: wallet, walletAddressLocked: '1' },
      subject: 'u1',
    }),
    store,
    tracker,
    webhooks: createWebhookVerifier({
      publicKey: sandbox.webhookPublicKey,
      url: webhookUrl,
      replays: store,
    }),
    onError: (error) => refused.push((error as WebhookError).reason),
  });
  close = [() => tracker.stop(), () => sandbox.close(), () => site.close()];

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
  const shipped = () => changes.map(({ record }) => [record.matchStatus, record.order.state]);
  return { sandbox, store, tracker, buy, responseStatuses, refused, changes, shipped };
}

const finished = ['matched', 'finished'];

describe('A webhook of the sandbox', () => {
  it('is verified, and its order is found immediately', async () => {
    const { tracker, buy, responseStatuses, shipped, changes } = await partner();
    tracker.start();
    const reference = await buy('on-ramp');
    await vi.waitFor(() => expect(shipped()).toEqual([finished]), 10_000);
    // A sync may deliver the order before the backend has responded to the webhook, so wait for the response.
    await vi.waitFor(() => expect(responseStatuses).toEqual([200]), 10_000);
    expect(changes[0]?.intent?.reference).toBe(reference);
  });

  it('announces an NFT order until it is settled', async () => {
    const { tracker, buy, shipped } = await partner();
    tracker.start();
    await buy('nft');
    await vi.waitFor(() => expect(shipped().at(-1)).toEqual(['matched', 'settled']), 10_000);
    expect(shipped().every(([matchStatus]) => matchStatus === 'matched')).toBe(true);
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
    const { tracker, buy, responseStatuses, refused, shipped, store } = await partner(fault);
    const reference = await buy('on-ramp');
    await vi.waitFor(() => expect(responseStatuses).toEqual(statuses), 10_000);
    await tracker.sync();
    await tracker.sync();
    expect(responseStatuses).toEqual(statuses);
    expect(shipped()).toEqual([finished]);
    expect(refused).toEqual(reasons);
    expect((await store.findCheckout(reference))?.orders).toHaveLength(1);
  });

  it('late: the order that a sync has delivered is not delivered again', async () => {
    const { tracker, buy, responseStatuses, shipped } = await partner('late');
    await buy('on-ramp');
    await tracker.sync();
    await vi.waitFor(() => expect(responseStatuses).toEqual([200]), 10_000);
    await tracker.sync();
    expect(shipped()).toEqual([finished]);
  });

  it('out of order: both are delivered once', async () => {
    const { tracker, buy, responseStatuses, shipped } = await partner('out-of-order');
    await buy('on-ramp');
    await buy('on-ramp');
    await vi.waitFor(() => expect(responseStatuses).toEqual([200, 200]), 10_000);
    await tracker.sync();
    expect(shipped()).toEqual([finished, finished]);
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
