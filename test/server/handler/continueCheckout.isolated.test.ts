import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RampError } from '../../../src/protocol/index.js';
import type { RampHandlerOptions } from '../../../src/server/handler/options.js';
import {
  type CheckoutRequest,
  memoryOrderStore,
  type OrderStore,
  type PartnerApi,
} from '../../../src/server/index.js';
import { announceOrder } from '../../support/server/announceOrder.js';
import { callHandler, createTestHandler, wallet } from '../../support/server/createTestHandler.js';
import { getHeaderShopper } from '../../support/server/headerShopper.js';
import { baseTime, onRampOrder } from '../../support/server/orderFixtures.js';

type Options = Partial<RampHandlerOptions<unknown>> & { readonly store?: OrderStore };

/** An API client whose order list is empty. */
const emptyList = {
  fiatCurrencies: vi.fn(),
  cryptoCurrencies: vi.fn(),
  quote: vi.fn(),
  readOrders: async () => {},
} as unknown as PartnerApi;

const owner = { 'x-user': 'u1' };
const params = { walletAddress: wallet };
const selection: object = { fiatCurrency: 'EUR', amountFixed: '100' };

/** Creates a handler with one opened checkout. `requests` has the argument of each call of its policy. */
async function opened(options: Options = {}, selected = selection) {
  const store = options.store ?? memoryOrderStore();
  const requests: CheckoutRequest[] = [];
  const policy = (request: CheckoutRequest) => {
    requests.push(request);
    return { params };
  };
  const now = () => Date.now();
  const handler = createTestHandler(
    { ...{ store, policy, api: emptyList, getShopper: getHeaderShopper }, ...options },
    { now },
  );
  const body = { widget: 'on-ramp', params, selection: selected };
  const first = (await callHandler(handler, { body, headers: owner })).json;
  const path = `/api/ramp/checkouts/${first.reference}`;
  const again = (headers: Record<string, string> = owner, method = 'POST') =>
    callHandler(handler, { path: `${path}/continue`, method, headers, body: {} });
  const read = () => callHandler(handler, { path, method: 'GET', headers: owner });
  const order = (given: object = {}) =>
    onRampOrder({ ext: first.reference, finishTime: baseTime, ...given });
  return { store, requests, first, again, read, order };
}

beforeEach(() => void vi.useFakeTimers({ now: baseTime * 1000 }));
afterEach(() => void vi.useRealTimers());

describe('POST /checkouts/:reference/continue', () => {
  it('signs the same checkout with a new timestamp and nonce', async () => {
    const { first, again } = await opened();
    vi.setSystemTime((baseTime + 60) * 1000);
    const { status, json } = await again();
    expect([status, json.reference, json.expiresInSeconds]).toEqual([200, first.reference, 240]);
    const { timestamp, nonce, signature, ...bound } = first.params;
    expect(json.params).toMatchObject(bound);
    expect(json.params.ext).toBe(first.reference);
    expect(json.params.timestamp).toBe(`${Number(timestamp) + 60}`);
    expect([nonce, signature]).not.toContain(json.params.signature);
    expect(json.params.signature).not.toBe(signature);
  });

  it('calls the policy with the first proposal and selection, and the continued checkout', async () => {
    const { requests, first, again } = await opened();
    await again();
    expect(requests[0]).not.toHaveProperty('continues');
    expect(requests[1]?.proposal).toEqual(params);
    expect(requests[1]?.selection).toEqual(selection);
    expect(requests[1]?.continues).toMatchObject({ reference: first.reference, subject: 'u1' });
  });

  it('returns the selection, which another device does not know', async () => {
    const { first, again } = await opened();
    expect(first).not.toHaveProperty('selection');
    expect((await again()).json.selection).toEqual(selection);
  });

  it('calls the policy with an empty selection if nothing was selected', async () => {
    const { requests, again } = await opened({}, {});
    const { status, json } = await again();
    expect(status).toBe(200);
    expect(json).not.toHaveProperty('selection');
    expect(requests[1]?.selection).toEqual({});
  });

  it('signs the wallet that the policy chose by the selection again', async () => {
    const wallets = new Map([['ETH', wallet]]);
    const policy = ({ selection }: CheckoutRequest) => ({
      params: { walletAddress: wallets.get(String(selection.defaultCurrency)) ?? 'none' },
    });
    const { first, again } = await opened({ policy }, { defaultCurrency: 'ETH' });
    const { status, json } = await again();
    expect([status, json.params.walletAddress]).toEqual([200, first.params.walletAddress]);
  });

  it('sends the extra parameters of the new grant, because a service may sign a deadline', async () => {
    let timeout = 1;
    const policy = () => ({
      params,
      extraParams: { theme: 'dark' },
      extraSignedParams: { timeout: `${timeout++}` },
    });
    const { first, again } = await opened({ policy });
    expect(first.params).toMatchObject({ theme: 'dark', timeout: '1' });
    expect((await again()).json.params).toMatchObject({ theme: 'dark', timeout: '2' });
  });

  it('keeps the order number of the first grant', async () => {
    let number = 1;
    const details = { type: 'MINT', mintQuantity: '1', contractAddress: wallet, amount: '1' };
    const nft = { cryptoCurrency: 'ETH', nftNetwork: 'polygon', transferWalletAddress: wallet };
    const settlement = { walletAddress: wallet, walletAddressTag: '' };
    const ids = { merchantUniqueId: 'p', externalCustomerId: 'c' };
    const policy = () => ({
      params: { ...details, ...nft, ...settlement, ...ids, merchantOrderNo: `n-${number++}` },
    });
    const handler = {
      policy: policy as never,
      store: memoryOrderStore(),
      getShopper: getHeaderShopper,
      api: emptyList,
    };
    const nftHandler = createTestHandler(handler);
    const first = (await callHandler(nftHandler, { body: { widget: 'nft' }, headers: owner })).json;
    const path = `/api/ramp/checkouts/${first.reference}/continue`;
    const { json } = await callHandler(nftHandler, { path, headers: owner, body: {} });
    expect([number, json.params.merchantOrderNo]).toEqual([3, 'n-1']);
  });

  it('signs nothing if the checkout is erased while the policy runs', async () => {
    const inner = memoryOrderStore();
    let run = 0;
    const store = {
      ...inner,
      findCheckout: async (...call: Parameters<typeof inner.findCheckout>) =>
        run > 1 ? undefined : inner.findCheckout(...call),
    };
    const policy = async () => {
      run++;
      return { params };
    };
    const { again } = await opened({ store, policy });
    expect((await again()).status).toBe(404);
  });

  it.each([
    ['finished', {}, 'finished'],
    ['quarantined', { kind: 'nft' }, 'review'],
    ['in an unknown state', { state: 'unknown' }, 'unconfirmed'],
  ] as const)('returns 409 with the state when an order is %s', async (_, given, progress) => {
    const { store, requests, first, again, order } = await opened();
    await store.recordOrders([order(given)], baseTime);
    const { status, json } = await again();
    expect([status, json.error.code]).toEqual([409, 'ERR_ORDER_EXISTS']);
    expect(json).toMatchObject({ reference: first.reference, widget: 'on-ramp', progress });
    expect(json).not.toHaveProperty('params');
    expect(requests).toHaveLength(1);
  });

  it('returns 409 when a webhook announced an order, with the state that GET returns', async () => {
    const { store, first, again, read } = await opened();
    await announceOrder(store, first.reference, baseTime);
    const announced = await again();
    expect([announced.status, announced.json.progress]).toEqual([409, 'unconfirmed']);
    expect((await read()).json.progress).toBe('unconfirmed');
    await store.markUnconfirmed([first.reference]);
    expect((await again()).json).toMatchObject({ progress: 'unconfirmed' });
  });

  it('returns 409 when an order is recorded or announced while the policy runs', async () => {
    const events: (() => Promise<unknown>)[] = [];
    const policy = async ({ continues }: CheckoutRequest) => {
      if (continues) await events.shift()?.();
      return { params };
    };
    for (const happen of ['record', 'announce'] as const) {
      const { store, first, again, order } = await opened({ policy, store: memoryOrderStore() });
      events.push(() =>
        happen === 'record'
          ? store.recordOrders([order()], baseTime)
          : announceOrder(store, first.reference, baseTime),
      );
      expect([happen, (await again()).status]).toEqual([happen, 409]);
    }
  });

  it.each([
    ['expired', 86_400],
    ['expires before the signature does', 86_400 - 240],
  ])('returns 410 for a checkout that %s', async (_, seconds) => {
    const { again } = await opened();
    vi.setSystemTime((baseTime + seconds) * 1000);
    const { status, json } = await again();
    expect([status, json.error.code]).toEqual([410, 'ERR_CHECKOUT_EXPIRED']);
    vi.setSystemTime((baseTime + 86_400 - 241) * 1000);
    expect((await again()).status).toBe(200);
  });

  it.each([
    ['another wallet', { params: { walletAddress: `${wallet.slice(0, -1).toLowerCase()}0` } }],
    ['an additional parameter', { params: { ...params, walletAddressLocked: '1' } }],
    ['another amount', { expectedAmount: '6', expectedFiatCurrency: 'USD' }],
  ])('returns 410 when the policy now grants %s', async (_, changed) => {
    const grants: object[] = [{}, changed];
    const policy = () => ({ params, ...grants.shift() });
    const { again } = await opened({ policy: policy as never });
    const { status, json } = await again();
    expect([status, json.error.code]).toEqual([410, 'ERR_CHECKOUT_EXPIRED']);
  });

  it('returns the message of a policy that refuses', async () => {
    const policy = ({ continues }: CheckoutRequest) => {
      if (continues) throw new RampError('ERR_POLICY_REFUSED', 'Sold.');
      return { params };
    };
    const { again } = await opened({ policy });
    const { status, json } = await again();
    expect([status, json.error.message]).toEqual([403, 'Sold.']);
  });

  it('calls the policy with the shopper, whose other data may have changed', async () => {
    const shoppers = [
      { id: 'u1', level: 'new' },
      { id: 'u1', level: 'verified' },
    ];
    const { requests, again } = await opened({ getShopper: () => shoppers.shift() });
    expect((await again()).status).toBe(200);
    expect(requests.map(({ shopper }) => shopper)).toEqual([
      { id: 'u1', level: 'new' },
      { id: 'u1', level: 'verified' },
    ]);
  });

  it.each<readonly [string, Record<string, string>]>([
    ['another shopper', { 'x-user': 'u2' }],
    ['an anonymous caller', {}],
  ])('returns 404 to %s', async (_, headers) => {
    const readOrders = vi.fn(async () => {});
    const { requests, again } = await opened({ api: { ...emptyList, readOrders } });
    const { status, json } = await again(headers);
    expect([status, json.error.message]).toEqual([404, 'Checkout not found.']);
    expect(readOrders).not.toHaveBeenCalled();
    expect(requests).toHaveLength(1);
  });

  it('refuses other origins, and other methods', async () => {
    const { again } = await opened();
    expect((await again({ ...owner, origin: 'https://evil.example' })).status).toBe(403);
    const { response, status } = await again(owner, 'GET');
    expect([status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });
});
