import { describe, expect, it, vi } from 'vitest';
import { memoryOrderStore, RampError } from '../../../src/server/index.js';
import { createFakeTracker } from '../../support/server/createFakeTracker.js';
import {
  callHandler,
  createTestHandler,
  origin,
  wallet,
} from '../../support/server/createTestHandler.js';

const params = { walletAddress: wallet };
const granting = (grant: object) => () => ({ params, ...grant }) as never;

describe('POST /checkouts', () => {
  it('sends the extra parameters of the grant, and signs the extra signed ones', async () => {
    const extras = { extraParams: { theme: 'dark' }, extraSignedParams: { tenant: 'eu1' } };
    const store = memoryOrderStore();
    const handler = createTestHandler({ store, policy: granting(extras) });
    const { json } = await callHandler(handler);
    expect(json.params).toMatchObject({ theme: 'dark', tenant: 'eu1' });
    const found = await store.findCheckout(json.reference);
    expect(found?.params).toMatchObject({ theme: 'dark', tenant: 'eu1' });
    const wrong = createTestHandler({
      policy: granting({ extraSignedParams: { tenant: 'a b' } }),
      onError: () => {},
    });
    expect((await callHandler(wrong)).json.error.issues).toMatchObject([{ param: 'tenant' }]);
  });

  it('stores only the fields of the grant in the checkout', async () => {
    const store = memoryOrderStore();
    const saveCheckout = vi.spyOn(store, 'saveCheckout');
    await callHandler(createTestHandler({ store, policy: granting({}) }));
    const optional = ['expectedAmount', 'expectedFiatCurrency', 'metadata'];
    for (const name of optional) expect(saveCheckout.mock.calls[0]?.[0]).not.toHaveProperty(name);
    const grant = { expectedAmount: '5', expectedFiatCurrency: 'USD', metadata: 0 };
    await callHandler(createTestHandler({ store, policy: granting(grant) }));
    expect(saveCheckout.mock.calls[1]?.[0]).toMatchObject(grant);
  });

  it('tells the page that the checkout is listed', async () => {
    expect((await callHandler(createTestHandler())).json.isListed).toBe(true);
  });

  it('calls checkoutGranted of the tracker after the checkout is saved', async () => {
    const tracker = createFakeTracker();
    const store = memoryOrderStore();
    await callHandler(createTestHandler({ store, tracker }));
    expect(tracker.checkoutGranted).toHaveBeenCalledOnce();
    store.saveCheckout = () => Promise.reject(new Error('down'));
    await callHandler(createTestHandler({ store, tracker, onError: () => {} }));
    expect(tracker.checkoutGranted).toHaveBeenCalledOnce();
  });

  it('accepts a proposed value of 512 characters, and refuses a longer one before it stores anything', async () => {
    const store = memoryOrderStore();
    const saveCheckout = vi.spyOn(store, 'saveCheckout');
    const propose = (length: number) =>
      callHandler(createTestHandler({ store }), {
        body: { widget: 'on-ramp', params: { email: 'x'.repeat(length) } },
      });
    expect((await propose(512)).status).toBe(201);
    const { status, json } = await propose(513);
    expect([status, json.error.code]).toEqual([400, 'ERR_PARAMS_INVALID']);
    expect(json.error.issues).toEqual([
      { param: 'email', message: 'is longer than 512 characters' },
    ]);
    expect(saveCheckout).toHaveBeenCalledOnce();
  });

  it('reports an error of the signer only to the backend', async () => {
    const thrown = new TypeError('key gone');
    const onError = vi.fn();
    const sign = () => {
      throw thrown;
    };
    const result = await callHandler(
      createTestHandler({ signer: { partnerId: 'p1', sign }, onError }),
    );
    expect([result.status, result.json.error.code]).toEqual([500, 'ERR_INTERNAL']);
    expect(onError.mock.calls).toEqual([[thrown]]);
  });

  it('reports a refusal of the signer without issues with its cause', async () => {
    const thrown = new RampError('ERR_CONFIG_INVALID', 'The clock is wrong.');
    const onError = vi.fn();
    const sign = () => {
      throw thrown;
    };
    const result = await callHandler(
      createTestHandler({ signer: { partnerId: 'p1', sign }, onError }),
    );
    expect([result.status, result.json.error.code]).toEqual([500, 'ERR_CONFIG_INVALID']);
    expect(onError.mock.calls[0]?.[0].cause).toBe(thrown);
  });

  it('refuses a request without an Origin header', async () => {
    const response = await createTestHandler()(
      new Request('https://shop.example/api/ramp/checkouts', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ widget: 'on-ramp', params: {} }),
      }),
    );
    expect(response.status).toBe(403);
    expect((await response.json()).error.message).toContain('allowedOrigins');
  });

  it.each([
    ['an array', [], 'must be { widget, params, selection }'],
    ['null', 'null', 'must be { widget, params, selection }'],
    ['text', '"on-ramp"', 'must be { widget, params, selection }'],
    ['no widget', { params: {} }, "widget must be 'on-ramp' or 'nft'"],
    ['another widget', { widget: 'off-ramp' }, "widget must be 'on-ramp' or 'nft'"],
    [
      'ext',
      { widget: 'on-ramp', params: { ext: 'mine' } },
      'ext carries the checkout reference and is set by the backend: put your data into the metadata',
    ],
  ])('refuses a proposal that is or has %s', async (_, body, message) => {
    const { status, json } = await callHandler(createTestHandler(), { body });
    expect([status, json.error.code]).toEqual([400, 'ERR_PARAMS_INVALID']);
    expect(json.error.message).toContain(message);
  });

  it('takes a proposal without params as an empty one', async () => {
    expect((await callHandler(createTestHandler(), { body: { widget: 'on-ramp' } })).status).toBe(
      201,
    );
  });

  it.each(['params', 'expectedFiatCurrency', 'extraParams', 'extraSignedParams'])(
    'suggests %s for a misspelt field of a grant',
    async (name) => {
      const policy = granting({ [`${name}s`]: '5' });
      const { json } = await callHandler(createTestHandler({ policy, onError: () => {} }));
      expect(json.error.message).toContain(`Did you mean ${name}?`);
    },
  );

  it('returns a general message when the policy throws', async () => {
    const policy = () => {
      throw new Error('no such user');
    };
    const { json } = await callHandler(createTestHandler({ policy, onError: () => {} }));
    expect(json.error.message).toBe('This checkout is not allowed.');
  });

  it.each([
    ['no params', { params: undefined }, /returned no params: it must return \{ params \}/],
    ['params that are null', { params: null }, /returned no params/],
    ['params that are text', { params: 'walletAddress' }, /returned no params/],
    ['params that are a Map', { params: new Map([['walletAddress', wallet]]) }, /plain object/],
    [
      'a misspelt field after an unknown one',
      { note: 'gift', expectedamount: '5' },
      /expectedamount.* Did you mean expectedAmount\?/,
    ],
    ['metadata that no database stores', { metadata: { price: 5n } }, /metadata that is not JSON/],
    ['metadata that is a function', { metadata: () => 5 }, /metadata that is not JSON/],
    ['a subject', { subject: 'u1' }, /returned a subject: the shopper is who getShopper returns/],
    ['a subject that is absent', { subject: undefined }, /returned a subject: the shopper is who/],
    ['ext', { params: { ...params, ext: undefined } }, /set ext, which carries .* into metadata/],
    [
      'an amount with three decimals',
      { expectedAmount: '1.234' },
      /expectedAmount that is not a dec/,
    ],
    ['an amount that is a number', { expectedAmount: 100 }, /expectedAmount that is not a decimal/],
    ['an array as amount', { expectedAmount: ['100'] }, /expectedAmount that is not a decimal/],
    ['a currency name', { expectedFiatCurrency: 'Euro' }, /Currency that is not an ISO/],
    ['an array as currency', { expectedFiatCurrency: ['USD'] }, /Currency that is not an ISO/],
    [
      'an amount without a currency',
      { expectedFiatCurrency: undefined },
      /without .*100 JPY are not/,
    ],
  ])('refuses a grant with %s', async (_, wrong, message) => {
    const right = { expectedAmount: '100', expectedFiatCurrency: 'USD' };
    const policy = granting({ ...right, ...wrong });
    const { status, json } = await callHandler(createTestHandler({ policy, onError: () => {} }));
    expect([status, json.error.code]).toEqual([500, 'ERR_CONFIG_INVALID']);
    expect(json.error.message).toMatch(/^The checkout policy .*\.$/);
    expect(json.error.message).toMatch(message);
    expect((await callHandler(createTestHandler({ policy: granting(right) }))).status).toBe(201);
  });

  it('reports a policy that returns undefined', async () => {
    const policy = () => undefined as never;
    const { status, json } = await callHandler(createTestHandler({ policy, onError: () => {} }));
    expect([status, json.error.code]).toEqual([500, 'ERR_CONFIG_INVALID']);
  });

  it('returns 405 for other methods than POST and GET', async () => {
    const response = await createTestHandler()(
      new Request('https://shop.example/api/ramp/checkouts', {
        method: 'DELETE',
        headers: { origin },
      }),
    );
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect((await response.json()).error.message).toContain('POST');
  });
});
