import { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { trace } from '../../src/server/diagnostics.js';
import type { RampHandlerOptions } from '../../src/server/handler/options.js';
import {
  createWebhookVerifier,
  createWidgetSigner,
  memoryOrderStore,
  RampError,
} from '../../src/server/index.js';
import { createOrderTracker } from '../../src/server/orders/tracker/createOrderTracker.js';
import type { OrderTrackerOptions } from '../../src/server/orders/tracker/trackerOptions.js';
import { createFakeTracker } from '../support/server/createFakeTracker.js';
import { createPriceHandler, QUOTE } from '../support/server/createPriceHandler.js';
import {
  callHandler,
  createTestHandler,
  secretKey,
  wallet,
} from '../support/server/createTestHandler.js';
import { createWebhook, webhookPublicKey, webhookTime } from '../support/server/createWebhook.js';
import {
  baseTime,
  nftCheckout,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../support/server/orderFixtures.js';
import { recordDiagnostics } from '../support/server/recordDiagnostics.js';
import { fakeApi } from '../support/server/setUpTrackers.js';
import { testRuntime } from '../support/server/testRuntime.js';

const CHECKOUT = 'partner-ramp:checkout';
const SIGNATURE = 'partner-ramp:signature';
const REFERENCE = expect.stringMatching(/^[\w-]{22}$/);

describe('the channel partner-ramp:checkout', () => {
  const createHandler = (options: Partial<RampHandlerOptions<unknown>> = {}) =>
    createTestHandler({ onError: () => {}, ...options });

  it('publishes the same message at the start and the end of a checkout', async () => {
    const { published } = recordDiagnostics();
    const { json } = await callHandler(createHandler());
    const ofCheckout = published.filter(({ name }) => name === CHECKOUT);
    expect(ofCheckout.map(({ phase }) => phase)).toEqual([
      'start',
      'end',
      'asyncStart',
      'asyncEnd',
    ]);
    expect(ofCheckout[0]?.message).toEqual({ continues: false });
    expect(ofCheckout[3]?.message).toEqual({
      continues: false,
      widget: 'on-ramp',
      reference: json.reference,
      outcome: 'signed',
      durationMs: expect.any(Number),
      result: undefined,
    });
  });

  it.each([
    ['a policy that refuses', { policy: refuse }, {}, 'ERR_POLICY_REFUSED', { widget: 'on-ramp' }],
    ['a malformed body', {}, { body: '{' }, 'ERR_REQUEST', {}],
    ['a store that fails', { store: failingStore() }, {}, 'ERR_INTERNAL', { widget: 'on-ramp' }],
  ])('publishes only the code of an error: %s', async (_, options, sent, code, fields) => {
    const { published, ended } = recordDiagnostics();
    await callHandler(createHandler(options as never), sent);
    const expected = { continues: false, ...fields, outcome: 'failed', error: { code } };
    expect(ended(CHECKOUT)).toEqual([expected]);
    expect(
      published.filter(({ phase, name }) => phase === 'error' && name === CHECKOUT),
    ).toHaveLength(1);
  });

  it('publishes ERR_INTERNAL for a code that the code of a partner has invented', async () => {
    const { ended } = recordDiagnostics();
    const store = {
      ...memoryOrderStore(),
      saveCheckout: () => Promise.reject(new RampError(`ERR_${wallet}` as never, 'x')),
    };
    await callHandler(createHandler({ store }));
    expect(ended(CHECKOUT)).toMatchObject([{ error: { code: 'ERR_INTERNAL' } }]);
  });

  it('publishes nothing for a request of another origin, which is refused before', async () => {
    const { published } = recordDiagnostics();
    await callHandler(createHandler(), { headers: { origin: 'https://evil.example' } });
    expect(published).toEqual([]);
  });

  it('publishes whether a continued checkout is signed, paid, or not found', async () => {
    const { ended } = recordDiagnostics();
    const store = memoryOrderStore();
    const api = {
      partnerId: 'p1',
      fiatCurrencies: vi.fn(),
      cryptoCurrencies: vi.fn(),
      quote: vi.fn(),
      readOrders: async () => {},
    };
    const handler = createHandler({ store, api: api as never });
    const { reference } = (await callHandler(handler)).json;
    const again = (one: string) =>
      callHandler(handler, { path: `/api/ramp/checkouts/${one}/continue`, body: {} });
    await again(reference);
    await store.recordOrders([onRampOrder({ ext: reference, walletAddress: wallet })], baseTime);
    await again(reference);
    await again('unknown');
    const known = { continues: true, widget: 'on-ramp', reference };
    expect(ended(CHECKOUT).slice(1)).toEqual([
      { ...known, outcome: 'signed', result: undefined },
      { ...known, outcome: 'paid', result: undefined },
      { continues: true, outcome: 'failed', error: { code: 'ERR_CHECKOUT_NOT_FOUND' } },
    ]);
  });
});

describe('the channel partner-ramp:signature', () => {
  it('publishes the reference, and no signature', async () => {
    const { ended, published } = recordDiagnostics();
    const { json } = await callHandler(createTestHandler());
    const { reference } = json;
    expect(ended(SIGNATURE)).toEqual([
      { widget: 'on-ramp', reference, outcome: 'signed', result: undefined },
    ]);
    expect(published.some(({ text }) => text.includes(json.params.signature))).toBe(false);
  });

  it('lasts until the function of a key management service has signed', async () => {
    const { published } = recordDiagnostics();
    let sign = (_: Uint8Array) => {};
    const signer = createWidgetSigner({
      partnerId: 'p1',
      secretKey: () => new Promise<Uint8Array>((resolve) => (sign = resolve)),
    });
    const response = callHandler(createTestHandler({ signer }));
    const phases = () =>
      published.filter(({ name }) => name === SIGNATURE).map(({ phase }) => phase);
    await vi.waitFor(() => expect(phases()).toEqual(['start', 'end']), 10_000);
    sign(new Uint8Array(32));
    expect((await response).status).toBe(201);
    expect(phases()).toEqual(['start', 'end', 'asyncStart', 'asyncEnd']);
  });

  it('publishes the code of a signer that throws', async () => {
    const { ended } = recordDiagnostics();
    const sign = () => {
      throw new TypeError(`no key for ${wallet}`);
    };
    await callHandler(createTestHandler({ signer: { partnerId: 'p1', sign }, onError: () => {} }));
    expect(ended(SIGNATURE)).toEqual([
      {
        widget: 'on-ramp',
        reference: REFERENCE,
        outcome: 'failed',
        error: { code: 'ERR_INTERNAL' },
      },
    ]);
  });
});

describe('the channel partner-ramp:quote', () => {
  it('publishes where a price comes from, and why there is none', async () => {
    const { ended } = recordDiagnostics();
    const { get, state } = createPriceHandler();
    await get(QUOTE);
    await get(QUOTE);
    state.nowMs += 6000;
    state.failure = new RampError('ERR_NETWORK', 'down');
    await get(QUOTE);
    await get(`${QUOTE}&buyType=nft`);
    await get('/quote?unknown=1');
    const fields = { widget: 'on-ramp', result: undefined };
    expect(ended('partner-ramp:quote')).toEqual([
      { ...fields, outcome: 'fetched' },
      { ...fields, outcome: 'cached' },
      { ...fields, outcome: 'stale' },
      { widget: 'nft', outcome: 'failed', error: { code: 'ERR_API_RESPONSE' } },
    ]);
  });
});

describe('the channel partner-ramp:webhook', () => {
  const url = 'https://shop.example/api/ramp/webhook';
  const reference = 'q1Jz8sUjXo2dR4TkWb7n9A';

  it('publishes accepted, repeated and refused webhooks', async () => {
    const { ended } = recordDiagnostics();
    const store = memoryOrderStore();
    const webhooks = createWebhookVerifier(
      { publicKey: webhookPublicKey, url },
      testRuntime({ now: () => webhookTime * 1000 }),
    );
    const tracker = createFakeTracker();
    const now = () => webhookTime * 1000;
    const handler = createTestHandler({ store, webhooks, tracker, onError: () => {} }, { now });
    const post = ({ headers, body }: { headers: Record<string, string>; body: Uint8Array }) =>
      handler(new Request(url, { method: 'POST', headers, body: body as never }));
    const webhook = createWebhook({ url, body: { ext: reference } });
    await post(webhook);
    await post(webhook);
    await post({ ...webhook, headers: { ...webhook.headers, 'X-Fp-Nonce': '111111' } });
    // This body is not signed, so a stranger could have put anything into its place.
    await post(createWebhook({ url, body: { ext: wallet } }));
    expect(ended('partner-ramp:webhook')).toEqual([
      { reference, outcome: 'accepted', result: undefined },
      { reference, outcome: 'replay', result: undefined },
      { reason: 'signature', outcome: 'failed', error: { code: 'ERR_WEBHOOK_VERIFICATION' } },
      { outcome: 'accepted', result: undefined },
    ]);
  });
});

function setUpTracker(options: Partial<OrderTrackerOptions> = {}) {
  const api = fakeApi();
  const store = options.store ?? memoryOrderStore();
  const tracker = createOrderTracker(
    {
      api,
      store,
      deliver() {},
      review() {},
      onError() {},
      ...options,
    },
    testRuntime({ now: () => baseTime * 1000 }),
  );
  return { api, store, tracker };
}

describe('the channel partner-ramp:sync', () => {
  it('publishes the counts of a sync', async () => {
    const { ended } = recordDiagnostics();
    const { api, tracker } = setUpTracker();
    api.orders = [onRampOrder(), onRampOrder({ orderId: 'o2' })];
    await tracker.sync();
    const counts = { listed: 2, recorded: 2, malformed: 0 };
    expect(ended('partner-ramp:sync')).toEqual([
      { outcome: 'synced', ...counts, result: undefined },
    ]);
  });

  it('publishes that another instance syncs, and that a sync failed', async () => {
    const { ended } = recordDiagnostics();
    const store = memoryOrderStore();
    const busy = { ...store, withSyncLease: async () => undefined as never };
    await setUpTracker({ store: busy }).tracker.sync();
    const { api, tracker } = setUpTracker();
    api.orders = [onRampOrder()];
    api.failAfter = 0;
    await expect(tracker.sync()).rejects.toThrow('the service is down');
    expect(ended('partner-ramp:sync')).toEqual([
      { outcome: 'busy', result: undefined },
      { outcome: 'failed', error: { code: 'ERR_INTERNAL' } },
    ]);
  });

  it('publishes that stop() aborted a sync, which is no failure', async () => {
    const { ended } = recordDiagnostics();
    const aborted = new Error('aborted');
    let isReading = false;
    const { tracker } = setUpTracker({
      api: {
        async *eachOrder(_, call) {
          yield onRampOrder();
          isReading = true;
          await new Promise<never>((__, reject) =>
            call?.signal?.addEventListener('abort', () => reject(aborted)),
          );
        },
      },
    });
    const synced = tracker.sync().catch(() => {});
    await vi.waitFor(() => expect(isReading).toBe(true), 10_000);
    await tracker.stop();
    await synced;
    expect(ended('partner-ramp:sync')).toMatchObject([{ outcome: 'stopped' }]);
  });

  it('publishes the syncs of a scheduled job, and nothing if no sync is due', async () => {
    const { ended } = recordDiagnostics();
    const { tracker } = setUpTracker({ isServerless: true });
    expect(await tracker.sync({ onlyIfDue: true })).toMatchObject({ ran: true });
    expect(await tracker.sync({ onlyIfDue: true })).toEqual({ ran: false });
    expect(ended('partner-ramp:sync')).toMatchObject([{ outcome: 'synced', listed: 0 }]);
  });

  it('publishes that the time of a sync was over, with what it has read', async () => {
    const { ended } = recordDiagnostics();
    const { tracker } = setUpTracker({
      isServerless: true,
      syncSeconds: 2,
      api: {
        async *eachOrder(_, call) {
          yield onRampOrder();
          await new Promise<never>((__, reject) =>
            call?.signal?.addEventListener('abort', () => reject(call.signal?.reason)),
          );
        },
      },
    });
    expect(await tracker.sync({ onlyIfDue: true })).toMatchObject({ isComplete: false });
    expect(ended('partner-ramp:sync')).toMatchObject([{ outcome: 'stopped', recorded: 1 }]);
  });
});

describe('the channels partner-ramp:order-change and partner-ramp:delivery', () => {
  it('publish each recorded state, and each attempt to deliver it', async () => {
    const { ended } = recordDiagnostics();
    let isDown = true;
    const { api, store, tracker } = setUpTracker({
      deliver() {
        if (isDown) throw new Error(`cannot book for ${wallet}`);
      },
    });
    await store.saveCheckout(onRampCheckout());
    api.orders = [onRampOrder()];
    await tracker.sync();
    const change = {
      key: 'o1:finished',
      orderId: 'o1',
      widget: 'on-ramp',
      state: 'finished',
      matchStatus: 'matched',
      reference: 'r1',
    };
    expect(ended('partner-ramp:order-change')).toEqual([change]);
    isDown = false;
    const [failed] = await store.listPendingChanges(baseTime + 3600, 1);
    await store.postponeChange(failed?.key ?? '', baseTime);
    await tracker.sync();
    expect(ended('partner-ramp:order-change')).toHaveLength(1);
    expect(ended('partner-ramp:delivery')).toEqual([
      { ...change, attempt: 1, outcome: 'failed', error: { code: 'ERR_INTERNAL' } },
      { ...change, attempt: 3, outcome: 'delivered', result: undefined },
    ]);
  });

  it('publish why an order is reviewed, and that a later state is skipped', async () => {
    const { ended } = recordDiagnostics();
    const { api, store, tracker } = setUpTracker();
    await store.saveCheckout(nftCheckout());
    await store.saveCheckout(onRampCheckout({ reference: 'r2' }));
    const wrong = onRampOrder({ orderId: 'o2', ext: 'r2', walletAddress: '0xother' });
    for (const state of ['finished', 'settled'] as const) {
      api.orders = [nftOrder(state), wrong];
      await tracker.sync();
    }
    const outcomes = ended('partner-ramp:delivery').map(
      ({ orderId, outcome, reason, reviewReason }) => [orderId, outcome, reason, reviewReason],
    );
    expect(outcomes).toEqual([
      ['o1', 'delivered', undefined, undefined],
      ['o2', 'reviewed', 'wallet', 'wallet'],
      ['o1', 'skipped', undefined, undefined],
    ]);
  });

  it('publish why an order is quarantined, and orders of no checkout', async () => {
    const { ended } = recordDiagnostics();
    const { store } = setUpTracker();
    await store.saveCheckout(nftCheckout({ reference: 'n1' }));
    await store.recordOrders([onRampOrder({ ext: '' })], baseTime);
    await store.recordOrders(
      [nftOrder('finished', { orderId: 'o2', ext: 'n1', details: { mintQuantity: 3 } })],
      baseTime,
    );
    expect(ended('partner-ramp:order-change')).toEqual([
      {
        key: 'o1:finished',
        orderId: 'o1',
        widget: 'on-ramp',
        state: 'finished',
        matchStatus: 'unmatched',
      },
      {
        key: 'o2:finished',
        orderId: 'o2',
        widget: 'nft',
        state: 'finished',
        matchStatus: 'quarantined',
        reference: 'n1',
        reason: 'nft',
      },
    ]);
  });

  it('publish that a checkout has a second order', async () => {
    const { ended } = recordDiagnostics();
    const { store } = setUpTracker();
    await store.saveCheckout(onRampCheckout());
    await store.recordOrders([onRampOrder(), onRampOrder({ orderId: 'o2' })], baseTime);
    expect(ended('partner-ramp:order-change')).toMatchObject([
      { orderId: 'o1' },
      { orderId: 'o2', isLaterOrder: true },
    ]);
  });
});

describe('the messages of all channels', () => {
  const canaries = {
    subject: 'canary-subject',
    email: 'canary@example.com',
    metadata: 'canary-metadata',
    cookie: 'canary-cookie',
    token: 'canary-token',
    payment: 'canary-payment',
    txHash: '0xcanaryhash',
    policy: 'canary-policy-error',
    booking: 'canary-booking-error',
  };

  it('have no wallet, subject, secret, signature, e-mail, token or body', async () => {
    const { published } = recordDiagnostics();
    const store = memoryOrderStore();
    const { api, tracker } = setUpTracker({
      store,
      deliver() {
        throw new Error(`${canaries.booking} ${wallet}`);
      },
    });
    let refuses = false;
    const signatures: string[] = [];
    const handler = createTestHandler({
      store,
      tracker,
      webhooks: createWebhookVerifier({
        publicKey: webhookPublicKey,
        url: 'https://shop.example/api/ramp/webhook',
      }),
      getShopper: () => ({ id: canaries.subject, email: canaries.email }),
      onError: () => {},
      policy() {
        if (refuses) throw new Error(`${canaries.policy} ${canaries.subject}`);
        return {
          params: { walletAddress: wallet, walletAddressLocked: '1' },
          metadata: { note: canaries.metadata },
          extraSignedParams: { merchantNote: canaries.email },
        };
      },
    });
    const headers = { cookie: canaries.cookie, authorization: `Bearer ${canaries.token}` };
    const body = { widget: 'on-ramp', params: { walletAddress: wallet, email: canaries.email } };
    const { json } = await callHandler(handler, { headers, body });
    signatures.push(json.params.signature);
    api.orders = [
      onRampOrder({ ext: json.reference, walletAddress: wallet, txHash: canaries.txHash }),
      onRampOrder({ orderId: 'o2', ext: json.reference, walletAddress: '0xdead00000000canary' }),
    ];
    await tracker.sync();
    refuses = true;
    await callHandler(handler, { headers, body });
    const webhook = createWebhook({ url: 'https://shop.example/api/ramp/webhook', body: canaries });
    await callHandler(handler, {
      path: `/api/ramp/webhook?payment=${canaries.payment}`,
      headers: webhook.headers,
      body: canaries,
    });
    await createPriceHandler().get(`${QUOTE}&payment=${canaries.payment}`);
    const names = new Set(published.map(({ name }) => name));
    expect([...names].sort()).toEqual(
      [...['checkout', 'delivery', 'order-change', 'quote', 'signature', 'sync', 'webhook']].map(
        (name) => `partner-ramp:${name}`,
      ),
    );
    expect(published.filter(({ phase }) => phase === 'error').length).toBeGreaterThan(2);
    const secrets = [...Object.values(canaries), ...signatures, wallet, secretKey, '0xdead'];
    for (const { text } of published)
      for (const secret of secrets) expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
  });
});

describe('trace', () => {
  const runtime = { monotonic: () => 5 };

  it('returns the promise of the work itself if nobody listens', () => {
    const promise = Promise.resolve(1);
    const work = vi.fn(() => promise);
    expect(trace('partner-ramp:sync', runtime, {}, work)).toBe(promise);
    expect(work).toHaveBeenCalledOnce();
  });

  it('reads no clock if nobody listens', async () => {
    const monotonic = vi.fn(() => 1);
    await trace('partner-ramp:sync', { monotonic }, {}, async () => {});
    expect(monotonic).not.toHaveBeenCalled();
  });

  it('returns the same result, and throws the same error, if somebody listens', async () => {
    recordDiagnostics();
    const result = { wallet };
    const error = new Error(wallet);
    expect(await trace('partner-ramp:sync', runtime, {}, async () => result)).toBe(result);
    await expect(trace('partner-ramp:sync', runtime, {}, () => Promise.reject(error))).rejects.toBe(
      error,
    );
  });

  it('measures the duration with the monotonic clock', async () => {
    const { published } = recordDiagnostics();
    let ms = 10;
    await trace('partner-ramp:sync', { monotonic: () => ms }, {}, async () => {
      ms = 35;
    });
    expect(published.at(-1)?.message.durationMs).toBe(25);
  });

  it('runs the work in the stores that are bound to the channel, as a tracing library expects', async () => {
    const storage = new AsyncLocalStorage<string>();
    const { start } = tracingChannel('partner-ramp:sync');
    start.bindStore(storage, () => 'span-1');
    onTestFinished(() => void start.unbindStore(storage));
    const seen: unknown[] = [];
    await trace('partner-ramp:sync', runtime, {}, async () => {
      await Promise.resolve();
      seen.push(storage.getStore());
    });
    expect(seen).toEqual(['span-1']);
  });
});

function refuse(): never {
  throw new RampError('ERR_POLICY_REFUSED', 'Sign in to buy.');
}

function failingStore() {
  return {
    ...memoryOrderStore(),
    saveCheckout: () => Promise.reject(new Error(`down: ${wallet}`)),
  };
}
