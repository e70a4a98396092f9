import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createWebhookVerifier,
  memoryOrderStore,
  type OrderStore,
  type WebhookError,
  type WebhookVerifierOptions,
} from '../../../src/server/index.js';
import { createOrderTracker } from '../../../src/server/orders/tracker/createOrderTracker.js';
import { createFakeTracker } from '../../support/server/createFakeTracker.js';
import { callHandler, createTestHandler } from '../../support/server/createTestHandler.js';
import {
  createWebhook,
  type TestWebhook,
  webhookPublicKey,
  webhookTime,
} from '../../support/server/createWebhook.js';
import { onRampCheckout, onRampOrder } from '../../support/server/orderFixtures.js';
import { fakeApi } from '../../support/server/setUpTrackers.js';
import { testRuntime } from '../../support/server/testRuntime.js';

const url = 'https://shop.example/api/ramp/webhook';
const now = () => webhookTime * 1000;
const setUp = (options: Partial<WebhookVerifierOptions> = {}) => {
  const store: OrderStore = memoryOrderStore();
  const tracker = createFakeTracker();
  const onError = vi.fn<(error: unknown) => void>();
  const webhooks = createWebhookVerifier(
    { publicKey: webhookPublicKey, url, ...options },
    testRuntime({ now }),
  );
  return {
    handler: createTestHandler({ store, webhooks, tracker, onError }, { now }),
    store,
    tracker,
    onError,
  };
};
/** Sends a webhook without `Origin` and `Content-Type`, because it is not documented which headers a service sends. */
const post = (
  handler: ReturnType<typeof createTestHandler>,
  { headers, query, body }: TestWebhook,
) => handler(new Request(`${url}${query}`, { method: 'POST', headers, body: body as never }));
const signed = (body: object = {}, query = '') => createWebhook({ url, body, query });

describe('POST /webhook', () => {
  it('accepts a webhook that was registered with a slash at the end', async () => {
    const store = memoryOrderStore();
    const webhooks = createWebhookVerifier(
      { publicKey: webhookPublicKey, url: `${url}/` },
      testRuntime({ now }),
    );
    const tracker = createFakeTracker();
    const handler = createTestHandler({ store, webhooks, tracker });
    const { headers, query, body } = createWebhook({ url: `${url}/`, query: '?a=1' });
    const sent = { method: 'POST', headers, body: body as never };
    expect((await handler(new Request(`${url}/${query}`, sent))).status).toBe(200);
    expect(tracker.requestSync).toHaveBeenCalledOnce();
  });

  it('responds before its sync has ended if waitUntil keeps the process alive', async () => {
    const store = memoryOrderStore();
    await store.saveCheckout(onRampCheckout());
    let end = () => {};
    const tracker = createFakeTracker();
    tracker.requestSync.mockReturnValue(new Promise<void>((resolve) => (end = resolve)));
    const waitUntil = vi.fn<(work: Promise<void>) => void>();
    const handler = createTestHandler({
      store,
      webhooks: createWebhookVerifier({ publicKey: webhookPublicKey, url }, testRuntime({ now })),
      tracker,
      waitUntil,
    });
    expect((await post(handler, signed({ ext: 'r1' }))).status).toBe(200);
    expect((await store.findCheckout('r1'))?.announcedAt).toBeDefined();
    expect(tracker.requestSync).toHaveBeenCalledTimes(1);
    end();
    await expect(waitUntil.mock.calls[0]?.[0]).resolves.toBeUndefined();
  });

  it('announces the order in the store before it returns 200', async () => {
    const { handler, store, tracker, onError } = setUp();
    for (const reference of ['r1', 'r2', 'r3'])
      await store.saveCheckout(onRampCheckout({ reference }));
    const response = await post(handler, signed({ orderId: 'o1', ext: 'r1' }, '?tenant=eu'));
    expect([response.status, await response.json()]).toEqual([200, {}]);
    await post(handler, signed({ order: { ext: 'r2' } }));
    const announced = await Promise.all(['r1', 'r2', 'r3'].map((one) => store.findCheckout(one)));
    expect(announced.map((one) => one?.announcedAt !== undefined)).toEqual([true, true, false]);
    expect(announced[0]).not.toHaveProperty('outcome');
    expect(tracker.requestSync).toHaveBeenCalledTimes(2);
    expect(onError).not.toHaveBeenCalled();
  });

  it('accepts a webhook that is sent again after its order could not be announced', async () => {
    const { handler, store } = setUp();
    await store.saveCheckout(onRampCheckout());
    const { claimReplay } = store;
    let isDown = true;
    store.claimReplay = async (...call) => {
      if (isDown) throw new Error('the database is down');
      return claimReplay(...call);
    };
    const request = signed({ ext: 'r1' });
    expect((await post(handler, request)).status).toBe(503);
    expect(await store.findCheckout('r1')).not.toHaveProperty('announcedAt');
    isDown = false;
    expect((await post(handler, request)).status).toBe(200);
    expect(await store.findCheckout('r1')).toHaveProperty('announcedAt');
  });

  it('records the webhook and its order in one call of the store', async () => {
    const { handler, store } = setUp();
    const claimReplay = vi.spyOn(store, 'claimReplay');
    const timestamp = webhookTime + 7;
    const webhook = createWebhook({ url, timestamp, body: { ext: 'r1' } });
    expect((await post(handler, webhook)).status).toBe(200);
    // The webhook is kept for a while longer than its timestamp is accepted, in case the clocks of instances differ.
    const keepUntil = timestamp + 300 + 360;
    expect(claimReplay.mock.calls).toEqual([
      [expect.stringMatching(/^[0-9a-f]{64}$/), keepUntil, webhookTime, 'r1'],
    ]);
  });

  it('records a webhook for longer than its timestamp is accepted by an instance of another clock', async () => {
    const { handler, store } = setUp({ toleranceSeconds: 20 });
    const claimReplay = vi.spyOn(store, 'claimReplay');
    await post(handler, createWebhook({ url, timestamp: webhookTime - 20 }));
    expect(claimReplay.mock.calls[0]?.[1]).toBe(webhookTime + 360);
  });

  it('keeps a webhook for as long as it can be sent again', async () => {
    const { store } = setUp();
    const webhook = createWebhook({ url, timestamp: webhookTime + 300, body: { ext: 'r1' } });
    const isNew: unknown[] = [];
    const { claimReplay } = store;
    store.claimReplay = async (...call) => {
      isNew.push(await claimReplay(...call));
      return isNew.at(-1) === true;
    };
    for (const time of [webhookTime, webhookTime + 600]) {
      const clock = () => time * 1000;
      const webhooks = createWebhookVerifier(
        { publicKey: webhookPublicKey, url },
        testRuntime({ now: clock }),
      );
      const handler = createTestHandler({ store, webhooks }, { now: clock });
      expect((await post(handler, webhook)).status).toBe(200);
    }
    expect(isNew).toEqual([true, false]);
  });

  it('does not record a webhook that is refused', async () => {
    const { handler, store } = setUp();
    const claimReplay = vi.spyOn(store, 'claimReplay');
    const webhook = signed({ ext: 'r1' });
    const forged = { ...webhook.headers, 'X-Fp-Signature': signed().headers['X-Fp-Signature'] };
    expect((await post(handler, { ...webhook, headers: forged as never })).status).toBe(401);
    expect(claimReplay).not.toHaveBeenCalled();
    expect((await post(handler, webhook)).status).toBe(200);
    expect(claimReplay.mock.results).toMatchObject([{ type: 'return' }]);
    await expect(claimReplay.mock.results[0]?.value).resolves.toBe(true);
  });

  it.each([
    ['no content', ''],
    ['markup', '<xml/>'],
    ['null', 'null'],
    ['an invalid reference', '{"ext":"a&b"}'],
    ['a reference of another type', '{"ext":{"a":1}}'],
    ['bytes that are not UTF-8', new Uint8Array([0xff, 0xfe])],
  ])('requests a sync although the body has %s', async (_, body) => {
    const { handler, tracker } = setUp();
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    expect((await post(handler, { ...signed(), body: bytes })).status).toBe(200);
    expect(tracker.requestSync).toHaveBeenCalledOnce();
  });

  it('announces the orders of two webhooks of one second with the same nonce', async () => {
    const { handler, store, tracker } = setUp();
    for (const reference of ['r1', 'r2']) await store.saveCheckout(onRampCheckout({ reference }));
    const first = signed({ ext: 'r1' });
    const second = { ...first, body: new TextEncoder().encode('{"ext":"r2"}') };
    for (const request of [first, second]) expect((await post(handler, request)).status).toBe(200);
    for (const reference of ['r1', 'r2'])
      expect(await store.findCheckout(reference)).toHaveProperty('announcedAt');
    expect(tracker.requestSync).toHaveBeenCalledTimes(2);
  });

  it('accepts a thousand concurrent replays', async () => {
    const { handler } = setUp();
    const request = signed({ ext: 'ref-1' });
    const responses = await Promise.all(Array.from({ length: 1000 }, () => post(handler, request)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await post(handler, request)).status).toBe(200);
  });

  it('logs each reason of a refusal once a minute, because anyone can send webhooks', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => log.mockRestore());
    const store = memoryOrderStore();
    const handler = createTestHandler({
      store,
      webhooks: createWebhookVerifier({ publicKey: webhookPublicKey, url }, testRuntime({ now })),
      tracker: createFakeTracker(),
    });
    const { headers, ...webhook } = signed();
    const unsigned = { ...webhook, headers: {} };
    const statuses = [];
    const malformed = { ...webhook, headers, query: '?a=%' };
    for (const one of [unsigned, malformed, { ...webhook, headers, query: '?a=b' }, malformed])
      statuses.push((await post(handler, one)).status);
    expect(statuses).toEqual([401, 401, 401, 401]);
    const lines = log.mock.calls.map(([, line]) => line);
    expect(lines).toEqual([
      expect.stringMatching(/^RampError: The webhook is refused: X-Fp-Timestamp.* is missing/),
      expect.stringMatching(/^RampError: The webhook is refused: its query has/),
      expect.stringMatching(/^RampError: The webhook is refused: its signature is not valid/),
    ]);
  });

  it('ignores a webhook that is not verified, and calls onError with the reason', async () => {
    const { handler, tracker, onError } = setUp();
    const request = signed();
    const forged = { ...request.headers, 'X-Fp-Nonce': '000000' };
    const response = await post(handler, { ...request, headers: forged });
    expect(response.status).toBe(401);
    const { error } = await response.json();
    expect(error.code).toBe('ERR_WEBHOOK_VERIFICATION');
    expect(JSON.stringify(error)).not.toContain(request.headers['X-Fp-Signature']);
    expect(tracker.requestSync).not.toHaveBeenCalled();
    expect(onError.mock.calls.map(([error]) => (error as WebhookError).reason)).toEqual([
      'signature',
    ]);
  });

  it('returns 500 when the verifier itself fails', async () => {
    const onError = vi.fn();
    const failure = new Error('no key at 10.0.0.7');
    const webhooks = {
      verify: () => {
        throw failure;
      },
    };
    const tracker = createFakeTracker();
    const handler = createTestHandler({ webhooks, tracker, store: memoryOrderStore(), onError });
    const response = await post(handler, signed());
    const { error } = await response.json();
    expect([response.status, error.code]).toEqual([500, 'ERR_INTERNAL']);
    expect(error.message).not.toContain('10.0.0.7');
    expect(onError.mock.calls).toEqual([[failure]]);
    expect(tracker.requestSync).not.toHaveBeenCalled();
  });

  it('returns 503 and requests a sync when the store cannot record the webhook', async () => {
    const down = new Error('down');
    const { handler, store, tracker, onError } = setUp();
    store.claimReplay = () => Promise.reject(down);
    const response = await post(handler, signed({ ext: 'ref-1' }));
    expect([response.status, (await response.json()).error.code]).toEqual([
      503,
      'ERR_WEBHOOK_VERIFICATION',
    ]);
    expect(tracker.requestSync).toHaveBeenCalledOnce();
    expect(onError.mock.calls).toEqual([
      [expect.objectContaining({ reason: 'replay-store', cause: down })],
    ]);
  });

  it('responds after requestSync resolves, so that a serverless function is not frozen before', async () => {
    const { handler, tracker } = setUp();
    let end = () => {};
    tracker.requestSync.mockReturnValue(
      new Promise<void>((done) => {
        end = done;
      }),
    );
    let isAnswered = false;
    const response = post(handler, signed()).then(({ status }) => {
      isAnswered = true;
      return status;
    });
    await vi.waitFor(() => expect(tracker.requestSync).toHaveBeenCalledOnce(), 10_000);
    await new Promise((done) => setTimeout(done, 20));
    expect(isAnswered).toBe(false);
    end();
    expect(await response).toBe(200);
  });

  it.each([true, false])(
    'accepts a genuine webhook even if its sync fails, and reports the failure, with waitUntil: %s',
    async (hasWaitUntil) => {
      const store = memoryOrderStore();
      const onError = vi.fn();
      const orders = [onRampOrder({ finishTime: webhookTime })];
      const api = Object.assign(fakeApi(), { orders, failAfter: 0 });
      const tracker = createOrderTracker(
        { ...{ api, store, onError, isServerless: true }, deliver() {}, review() {} },
        testRuntime({ now }),
      );
      const webhooks = createWebhookVerifier(
        { publicKey: webhookPublicKey, url },
        testRuntime({ now }),
      );
      const waitUntil = vi.fn<(work: Promise<void>) => void>();
      const handler = createTestHandler(
        { ...{ store, webhooks, tracker, onError }, ...(hasWaitUntil && { waitUntil }) },
        { now },
      );
      expect((await post(handler, signed())).status).toBe(200);
      if (hasWaitUntil) await expect(waitUntil.mock.calls[0]?.[0]).resolves.toBeUndefined();
      expect(onError.mock.calls).toEqual([[new Error('the service is down')]]);
    },
  );

  it('accepts 64 KB, and stops reading a larger body', async () => {
    const { handler, tracker } = setUp();
    const most = { ...signed(), body: new Uint8Array(64 * 1024) };
    expect((await post(handler, most)).status).toBe(200);
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(16 * 1024));
      },
    });
    const { headers } = signed();
    const request = new Request(url, {
      method: 'POST',
      headers,
      body: endless,
      duplex: 'half',
    } as RequestInit);
    expect((await handler(request)).status).toBe(413);
    expect(pulled).toBeLessThan(10);
    expect(tracker.requestSync).toHaveBeenCalledOnce();
  });

  it('returns 404 without a verifier, and 405 for other methods than POST', async () => {
    const without = await post(createTestHandler(), signed());
    expect(without.status).toBe(404);
    const { handler } = setUp();
    const { response } = await callHandler(handler, { path: '/api/ramp/webhook', method: 'GET' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('POST /checkouts', () => {
  it('calls checkoutGranted of the tracker', async () => {
    const { handler, tracker } = setUp();
    await callHandler(handler);
    expect(tracker.checkoutGranted).toHaveBeenCalledOnce();
  });
});
