import { describe, expect, it } from 'vitest';
import { buildWidgetPayload, type Order } from '../../../src/protocol/index.js';
import { type Checkout, memoryOrderStore } from '../../../src/server/index.js';
import {
  baseTime,
  nftCheckout,
  nftOrder,
  nftParams,
  onRampCheckout,
  onRampOrder,
} from '../../support/server/orderFixtures.js';

type Params = Readonly<Record<string, string>>;

/**
 * Moves the parameters `names` into the value of `into`, as an attacker can do with a signed URL. In the sort order,
 * these parameters must directly follow `into`. The service joins decoded values with `&` and `=` without escaping
 * them. So the signed text and its signature stay the same, although the URL no longer has these parameters.
 */
function swallow(widget: 'on-ramp' | 'nft', params: Params, into: string, names: string[]): Params {
  const left = { ...params };
  left[into] = [left[into], ...names.map((name) => `${name}=${left[name]}`)].join('&');
  for (const name of names) delete left[name];
  expect(buildWidgetPayload(widget, left)).toBe(buildWidgetPayload(widget, params));
  return left;
}

async function recorded(checkout: Checkout, order: Order) {
  const store = memoryOrderStore();
  await store.saveCheckout(checkout);
  await store.recordOrders([order], baseTime);
  return (await store.listPendingChanges(baseTime, 1))[0]?.record;
}

describe('a rewritten URL with a valid signature', () => {
  it('is quarantined when the order pays to another wallet than the locked one', async () => {
    const bound = onRampCheckout().params;
    const { walletAddress = '' } = bound;
    const signed = { walletAddress, walletAddressHidden: '1', walletAddressLocked: '1' };
    const names = ['walletAddressHidden', 'walletAddressLocked'];
    const left = swallow('on-ramp', signed, 'walletAddress', names);
    expect(left).not.toHaveProperty('walletAddressLocked');
    // The URL no longer locks the wallet, so the widget shows an empty, editable field, and the attacker enters another
    // wallet.
    const order = onRampOrder({ walletAddress: '0x000000000000000000000000000000000000dEaD' });
    expect(await recorded(onRampCheckout({ params: bound }), order)).toMatchObject({
      matchStatus: 'quarantined',
      reason: 'wallet',
      reference: 'r1',
    });
  });

  it('is quarantined when the order numbers of an NFT are gone', async () => {
    const bound = { ...nftParams, externalCustomerId: 'c-1', merchantUniqueId: 'm-1', ext: 'r1' };
    const price = { cryptoCurrency: 'ETH', amount: '0.05', walletAddress: '0xabc' };
    const names = ['merchantOrderNo', 'merchantUniqueId'];
    const left = swallow('nft', { ...bound, ...price }, 'externalCustomerId', names);
    const { externalCustomerId } = left;
    const details = { externalCustomerId, merchantOrderNo: undefined };
    const order = nftOrder('finished', { details });
    expect(await recorded(nftCheckout({ params: bound }), order)).toMatchObject({
      matchStatus: 'quarantined',
      reason: 'nft',
      reference: 'r1',
    });
  });
});
