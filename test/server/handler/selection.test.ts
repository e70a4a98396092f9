import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { RampHandlerOptions } from '../../../src/server/handler/options.js';
import { type CheckoutRequest, memoryOrderStore } from '../../../src/server/index.js';
import { callHandler, createTestHandler, wallet } from '../../support/server/createTestHandler.js';

const params = { walletAddress: wallet };

/** Sends a checkout whose policy records its request. */
async function open(body: object, options: Partial<RampHandlerOptions<unknown>> = {}) {
  const store = memoryOrderStore();
  const policy = vi.fn((_: CheckoutRequest) => ({ params }));
  const handler = createTestHandler({ store, policy, ...options });
  const { status, json } = await callHandler(handler, { body: { widget: 'on-ramp', ...body } });
  const stored = json.reference && (await store.findCheckout(json.reference));
  return { status, json, stored, policy, request: policy.mock.calls[0]?.[0] };
}

describe('the selection of POST /checkouts', () => {
  it('is passed to the policy and stored with the checkout', async () => {
    const selection = { cryptoCurrency: 'USDT_ERC20', cryptoNetwork: 'ethereum_mainnet' };
    const { status, request, stored } = await open({ selection });
    expect(status).toBe(201);
    expect({ ...request?.selection }).toEqual(selection);
    expect({ ...stored.selection }).toEqual(selection);
  });

  it.each([
    ['a page that sends none', {}],
    ['a page on which nothing is selected', { selection: {} }],
    ['a page that sends only unknown names', { selection: { paymentMethod: 'card' } }],
  ])('is empty for %s, and not stored', async (_, body) => {
    const { status, request, stored } = await open(body);
    expect(status).toBe(201);
    expect(Object.keys(request?.selection ?? { missing: true })).toEqual([]);
    expect(stored).not.toHaveProperty('selection');
  });

  it('stands beside fields of a later release, which are ignored', async () => {
    const { status, request } = await open({ selection: { amount: '5' }, subject: 'admin', v: 3 });
    expect(status).toBe(201);
    expect({ ...request?.selection }).toEqual({ amount: '5' });
    expect(request).not.toHaveProperty('subject');
  });

  it.each([
    ['a number', { amount: 100 }, 'selection.amount'],
    ['an array', { cryptoCurrency: ['ETH'] }, 'selection.cryptoCurrency'],
    ['a nested object', { fiatCurrency: { code: 'EUR' } }, 'selection.fiatCurrency'],
    ['10,000 characters', { cryptoNetwork: 'n'.repeat(10_000) }, 'selection.cryptoNetwork'],
    ['an inherited name as a value', { defaultCurrency: '__proto__' }, 'selection.defaultCurrency'],
    ['an inherited name', JSON.parse('{"__proto__":{}}'), 'selection.__proto__'],
    ['half of a surrogate pair', { defaultCurrency: '\udc00' }, 'selection.defaultCurrency'],
    ['another type', 'ETH', 'selection'],
    ['a list', [{ amount: '5' }], 'selection'],
    ['null', null, 'selection'],
  ])('is refused with words if it is or has %s', async (_, selection, param) => {
    const { status, json, policy, stored } = await open({ selection });
    expect([status, json.error.code]).toEqual([400, 'ERR_PARAMS_INVALID']);
    expect(json.error.issues).toEqual([{ param, message: expect.stringMatching(/^\w+ .+/) }]);
    expect(json.error.message).toContain(param);
    expect(policy).not.toHaveBeenCalled();
    expect(stored).toBeUndefined();
  });

  it('never reaches the parameters that are signed', async () => {
    const code = fc.stringMatching(/^[A-Z]{6,10}_x$/);
    const selections = fc.record(
      {
        cryptoCurrency: code,
        defaultCurrency: code,
        cryptoNetwork: code,
        fiatCurrency: fc.constantFrom('EUR', 'EUR,USD'),
        defaultFiatCurrency: fc.constantFrom('EUR', 'JPY'),
        amountFixed: fc.constantFrom('71.25', '100'),
        amount: fc.constantFrom('71.25', '100'),
        // Signed names, which a forged selection may try to smuggle in.
        walletAddress: code,
        walletAddressLocked: fc.constant('0'),
        ext: code,
        partnerId: code,
        signature: code,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(selections, async (selection) => {
        const { json, stored } = await open({ selection });
        const { ext, nonce, signature, timestamp, ...signed } = json.params;
        expect(signed).toEqual({ partnerId: 'p1', walletAddress: wallet });
        expect(ext).toBe(json.reference);
        expect(stored.params).toEqual({ ...signed, ext });
        expect(stored).not.toHaveProperty('expectedAmount');
        for (const value of Object.values(selection).filter((text) => text.length > 5))
          expect(JSON.stringify(json)).not.toContain(value);
      }),
      { numRuns: 200 },
    );
  });
});
