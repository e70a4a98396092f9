import { bech32 } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Order } from '../../../src/protocol/index.js';
import type { Checkout } from '../../../src/server/index.js';
import { matchOrder, matchOrders, orderKeys } from '../../../src/server/orders/matchOrder.js';
import {
  type OrderRecord,
  toChangeKey,
  toChangeKeys,
} from '../../../src/server/orders/store/OrderRecord.js';
import {
  baseTime,
  nftCheckout,
  nftOrder,
  nftParams,
  onRampCheckout,
  onRampOrder,
} from '../../support/server/orderFixtures.js';

const matchStatus = (order: Order, checkout?: Checkout, matchedOrderId?: string) => {
  const {
    order: _,
    firstSeenAt: __,
    changedAt: ___,
    ...rest
  } = matchOrder(order, { checkout, matchedOrderId }, baseTime) as OrderRecord;
  return rest;
};
const matched = { matchStatus: 'matched', reference: 'r1' };
const quarantined = (reason: string, field?: string) => ({
  matchStatus: 'quarantined',
  reference: 'r1',
  reason,
  ...(field && { field }),
});

describe('matchOrder', () => {
  it('returns unmatched for an order without a checkout', () => {
    expect(matchStatus(onRampOrder())).toEqual({ matchStatus: 'unmatched' });
  });

  it('returns matched for an order with the terms of its checkout', () => {
    expect(matchStatus(onRampOrder(), onRampCheckout())).toEqual(matched);
    expect(matchStatus(nftOrder(), nftCheckout())).toEqual(matched);
  });

  it('ignores the case of a locked hexadecimal wallet, and quarantines another wallet', () => {
    const walletAddress = '0xABC0000000000000000000000000000000000001';
    expect(matchStatus(onRampOrder({ walletAddress }), onRampCheckout())).toEqual(matched);
    const other = onRampOrder({ walletAddress: '0xEvil' });
    expect(matchStatus(other, onRampCheckout())).toEqual(quarantined('wallet', 'walletAddress'));
    const none = onRampOrder({ walletAddress: undefined });
    expect(matchStatus(none, onRampCheckout())).toEqual(quarantined('wallet', 'walletAddress'));
  });

  it('compares the case of addresses that are not hexadecimal', () => {
    const params = { walletAddress: 'TQ5pCabc', walletAddressHidden: '1' };
    const checkout = onRampCheckout({ params });
    expect(matchStatus(onRampOrder({ walletAddress: 'TQ5pCabc' }), checkout)).toEqual(matched);
    expect(matchStatus(onRampOrder({ walletAddress: 'tq5pCabc' }), checkout)).toMatchObject({
      reason: 'wallet',
    });
  });

  describe('with a locked bech32 wallet', () => {
    const data = 'qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
    const { words } = bech32.decode(`bc1${data}`);
    const matchStatusOf = (bound: string, found: string, lock = 'walletAddressLocked') =>
      matchStatus(
        onRampOrder({ walletAddress: found }),
        onRampCheckout({ params: { walletAddress: bound, [lock]: '1' } }),
      ).matchStatus;

    it.each([
      ...['bc', 'tb', 'bcrt', 'ltc', 'tltc', 'addr', 'addr_test', 'stake', 'bnb', 'cosmos'],
      ...['osmo', 'celestia', 'inj', 'sei', 'terra', 'erd', 'zil'],
    ])('matches upper case with lower case: %s', (prefix) => {
      const address = bech32.encode(prefix, words);
      expect(matchStatusOf(address, address.toUpperCase())).toBe('matched');
      expect(matchStatusOf(address.toUpperCase(), address)).toBe('matched');
      expect(matchStatusOf(address, address.toUpperCase(), 'walletAddressHidden')).toBe('matched');
    });

    const lower = `bc1${data}`;
    const upper = lower.toUpperCase();
    it.each([
      ['mixed case in the order', lower, `BC1${data}`],
      ['mixed case in the checkout', `bc1${data.toUpperCase()}`, lower],
      ['another address', lower, upper.replace(/Q$/, 'P')],
      ['another chain', lower, `LTC1${data.toUpperCase()}`],
      ['a character outside bech32', `bc1${data}b`, `BC1${data.toUpperCase()}B`],
      ['the same address after a prefix', `x${lower}`, `X${upper}`],
      ['the same address before more text', `${lower} x`, `${upper} X`],
      ['too few characters', 'bc1qar0srrr7xf', 'BC1QAR0SRRR7XF'],
      ['a character with the same lower case', `bc1${data}k`, `BC1${data.toUpperCase()}\u212a`],
      ['a chain without bech32', `rx1${data}`, `RX1${data.toUpperCase()}`],
      ['a base58 address in one case', `1${data}`, `1${data.toUpperCase()}`],
    ])('quarantines %s', (_, bound, found) => {
      expect(matchStatusOf(bound, found)).toBe('quarantined');
    });

    it('compares the case of an NFT field', () => {
      const checkout = nftCheckout({ params: { ...nftParams, merchantOrderNo: lower } });
      const order = nftOrder('finished', { details: { merchantOrderNo: upper } });
      expect(matchStatus(order, checkout)).toEqual(quarantined('nft', 'merchantOrderNo'));
    });
  });

  it('accepts another wallet and another amount that the checkout does not fix', () => {
    const checkout = onRampCheckout({ params: { walletAddress: '0x1' } });
    expect(matchStatus(onRampOrder({ currencyAmount: '5' }), checkout)).toEqual(matched);
  });

  it.each([
    ['100', '100.00', true],
    ['100.00', '100', true],
    ['100', '100.01', false],
    ['100', '1e2', false],
    ['100', undefined, false],
  ])('compares the expected amount %s with %s: %s', (expectedAmount, currencyAmount, isMatched) => {
    const match = matchStatus(onRampOrder({ currencyAmount }), onRampCheckout({ expectedAmount }));
    expect(match).toEqual(isMatched ? matched : quarantined('amount', 'currencyAmount'));
  });

  it('quarantines the expected amount in another currency', () => {
    const checkout = onRampCheckout({ expectedAmount: '100', expectedFiatCurrency: 'USD' });
    expect(matchStatus(onRampOrder({ fiatCurrency: 'JPY' }), checkout)).toEqual(
      quarantined('currency', 'fiatCurrency'),
    );
  });

  it('matches the expected currency', () => {
    const checkout = onRampCheckout({ expectedFiatCurrency: 'USD' });
    expect(matchStatus(onRampOrder({ fiatCurrency: 'USD' }), checkout)).toEqual(matched);
    expect(matchStatus(onRampOrder({ fiatCurrency: undefined }), checkout)).toMatchObject({
      reason: 'currency',
    });
  });

  it.each([
    ['text after a hexadecimal number', '0xabcG', '0xABCG'],
    ['text before a hexadecimal number', 'T0xabc', 'T0xABC'],
    ['no wallet', 'undefined', undefined],
  ])('quarantines another locked wallet: %s', (_, walletAddress, found) => {
    const checkout = onRampCheckout({ params: { walletAddress, walletAddressLocked: '1' } });
    const order = onRampOrder({ walletAddress: found });
    expect(matchStatus(order, checkout)).toEqual(quarantined('wallet', 'walletAddress'));
  });

  it('quarantines an order if the checkout locks a wallet but has none', () => {
    const checkout = onRampCheckout({ params: { walletAddressLocked: '1' } });
    for (const walletAddress of ['0x1', undefined])
      expect(matchStatus(onRampOrder({ walletAddress }), checkout)).toMatchObject({
        reason: 'wallet',
      });
  });

  it('gives an order whose state is unknown a status of its own, until its state is known', () => {
    const checkout = onRampCheckout();
    const order = onRampOrder({ state: 'unknown' });
    const record = matchOrder(
      order,
      { checkout, matchedOrderId: 'other' },
      baseTime,
    ) as OrderRecord;
    expect(record).toMatchObject({ matchStatus: 'unknown', reference: 'r1' });
    expect(record).not.toHaveProperty('isLaterOrder');
    const later = matchOrder(onRampOrder(), { record, checkout }, baseTime + 9);
    expect(later).toMatchObject({ matchStatus: 'matched', firstSeenAt: baseTime });
  });

  it('quarantines an order of an unknown state that differs from its checkout', () => {
    const order = onRampOrder({ state: 'unknown', walletAddress: '0xother' });
    expect(matchStatus(order, onRampCheckout())).toMatchObject({ reason: 'wallet' });
  });

  it('quarantines an order of another widget', () => {
    expect(matchStatus(nftOrder(), onRampCheckout())).toEqual(quarantined('widget'));
    expect(matchStatus(onRampOrder(), nftCheckout())).toEqual(quarantined('widget'));
  });

  it.each(Object.keys(nftParams))('quarantines an NFT with another %s', (field) => {
    const changed = nftOrder('finished', { details: { [field]: 'other' } });
    expect(matchStatus(changed, nftCheckout())).toEqual(quarantined('nft', field));
    const missing = nftOrder('finished', { details: { [field]: undefined } });
    expect(matchStatus(missing, nftCheckout())).toEqual(quarantined('nft', field));
  });

  it('accepts NFT fields that were not signed', () => {
    const more = nftOrder('finished', { details: { tokenId: '77', merchantUniqueId: 'p' } });
    expect(matchStatus(more, nftCheckout())).toEqual(matched);
  });

  it('quarantines an order with two NFTs', () => {
    const [details] = nftOrder().nftDetails;
    const two = nftOrder('finished', { nftDetails: [details, details] as never });
    expect(matchStatus(two, nftCheckout())).toEqual(quarantined('nft', 'nftDetails'));
  });

  it('quarantines a second order of an NFT, and marks one of crypto', () => {
    expect(matchStatus(nftOrder(), nftCheckout(), 'o0')).toEqual(quarantined('second-order'));
    expect(matchStatus(nftOrder(), nftCheckout(), 'o1')).toEqual(matched);
    expect(matchStatus(onRampOrder(), onRampCheckout(), 'o0')).toEqual({
      ...matched,
      isLaterOrder: true,
    });
    expect(matchStatus(onRampOrder(), onRampCheckout(), 'o1')).toEqual(matched);
  });

  it('keeps the field that differs, if the quarantine has one, in the later states', () => {
    const checkout = nftCheckout();
    for (const [order, expected] of [
      [
        nftOrder('finished', { details: { contractAddress: '0xOther' } }),
        quarantined('nft', 'contractAddress'),
      ],
      [nftOrder('finished', { kind: 'on-ramp' }), quarantined('widget')],
    ] as const) {
      const record = matchOrder(order, { checkout }, baseTime) as OrderRecord;
      expect(record).toMatchObject(expected);
      const settled = matchOrder(nftOrder('settled'), { record, checkout }, baseTime + 1);
      const { order: _, firstSeenAt: __, changedAt: ___, ...match } = settled as OrderRecord;
      expect(match).toStrictEqual(expected);
    }
  });

  it('keeps an order quarantined in its later states', () => {
    const wrong = { ...nftOrder('finished'), kind: 'on-ramp' as const };
    const checkout = nftCheckout();
    const record = matchOrder(wrong, { checkout }, baseTime);
    expect(record).toMatchObject({ matchStatus: 'quarantined', reason: 'widget' });
    const settled = matchOrder(nftOrder('settled'), { checkout, record }, baseTime + 9);
    expect(settled).toMatchObject({
      matchStatus: 'quarantined',
      reference: checkout.reference,
      reason: 'widget',
      order: { state: 'settled' },
    });
  });
});

describe('orderKeys', () => {
  const record = matchOrder(onRampOrder(), { checkout: onRampCheckout() }, baseTime) as OrderRecord;
  const unmatched = matchOrder(onRampOrder(), {}, baseTime) as OrderRecord;

  it.each([
    ['the ext of a new order', 'r9', undefined, 'r9'],
    ['the recorded reference, not a later ext', 'r9', record, 'r1'],
    ['the recorded reference of an order that lost its ext', undefined, record, 'r1'],
    ['the ext of an unmatched order', 'r9', unmatched, 'r9'],
    ['undefined for an empty ext', '', undefined, undefined],
  ])('returns %s', (_, ext, known, reference) => {
    expect(orderKeys(onRampOrder({ ext }), known)).toEqual({
      reference,
      merchantOrderNo: undefined,
    });
  });
});

describe('the record of an order', () => {
  const createContext = (checkout: Checkout) => ({
    records: new Map<string, OrderRecord>(),
    byReference: new Map([[checkout.reference, { terms: checkout }]]),
    byOrderNo: new Map(),
    toKey: (name: string) => name,
  });
  const states = ['unknown', 'finished', 'settlement', 'settled'] as const;

  it('only advances, and has the time of the change', () => {
    const first = matchOrder(
      nftOrder('finished'),
      { checkout: nftCheckout() },
      baseTime,
    ) as OrderRecord;
    const known = { record: first, checkout: nftCheckout(), matchedOrderId: 'o1' };
    expect(
      matchOrder(nftOrder('finished', { txHash: 'other' }), known, baseTime + 1),
    ).toBeUndefined();
    expect(matchOrder(nftOrder('settled'), known, baseTime + 9)).toMatchObject({
      matchStatus: 'matched',
      firstSeenAt: baseTime,
      changedAt: baseTime + 9,
      order: { state: 'settled' },
    });
  });

  it('is a change when a status is not known, after any state, once for each status', () => {
    for (const state of ['unknown', 'finished', 'settlement', 'settled'] as const) {
      const first = nftOrder(state, state === 'unknown' ? { orderStatus: 12 } : {});
      const record = matchOrder(first, { checkout: nftCheckout() }, baseTime) as OrderRecord;
      const known = { record, checkout: nftCheckout(), matchedOrderId: 'o1' };
      const change = matchOrder(nftOrder('unknown'), known, baseTime + 1) as OrderRecord;
      expect(change).toMatchObject({
        matchStatus: 'unknown',
        reference: 'r1',
        firstSeenAt: baseTime,
        changedAt: baseTime + 1,
        order: { state: 'unknown', orderStatus: 9 },
        unknownStatuses: state === 'unknown' ? [12, 9] : [9],
      });
      expect(toChangeKey(change)).toBe(state === 'unknown' ? 'o1:unknown:9' : 'o1:unknown');
      const again = { ...known, record: change };
      expect(matchOrder(nftOrder('unknown'), again, baseTime + 2)).toBeUndefined();
    }
  });

  it('keeps the reason of a quarantine in a status that is not known', () => {
    const checkout = nftCheckout();
    const record = matchOrder(nftOrder(), { checkout, matchedOrderId: 'o0' }, baseTime);
    const known = { checkout, record: record as OrderRecord };
    expect(matchOrder(nftOrder('unknown'), known, baseTime)).toMatchObject({
      matchStatus: 'quarantined',
      reason: 'second-order',
    });
  });

  it('is matched in the same state once its checkout is there', () => {
    const record = matchOrder(nftOrder('settled'), {}, baseTime) as OrderRecord;
    expect(matchOrder(nftOrder('settled'), { record }, baseTime + 1)).toBeUndefined();
    const known = { record, checkout: nftCheckout() };
    // The page may be an old one. The record has the newer state.
    for (const state of ['settled', 'finished'] as const) {
      const matched = matchOrder(nftOrder(state), known, baseTime + 1) as OrderRecord;
      expect(matched).toMatchObject({
        matchStatus: 'matched',
        wasUnmatched: true,
        firstSeenAt: baseTime,
        changedAt: baseTime + 1,
        order: { state: 'settled' },
      });
      expect(toChangeKey(matched)).toBe('o1:settled:rematched');
      const again = { ...known, record: matched };
      expect(matchOrder(nftOrder('settled'), again, baseTime)).toBeUndefined();
    }
  });

  it('is compared with a checkout that is found late', () => {
    const record = matchOrder(onRampOrder(), {}, baseTime) as OrderRecord;
    const checkout = onRampCheckout({ expectedAmount: '90' });
    expect(matchOrder(onRampOrder(), { record, checkout }, baseTime)).toMatchObject({
      matchStatus: 'quarantined',
      wasUnmatched: true,
    });
  });

  it('has the key of its state alone when it advances after its checkout was found', () => {
    const checkout = nftCheckout();
    const unmatched = matchOrder(nftOrder('finished'), {}, baseTime) as OrderRecord;
    const found = matchOrder(nftOrder('finished'), { record: unmatched, checkout }, baseTime);
    const next = matchOrder(nftOrder('settled'), { record: found, checkout }, baseTime);
    expect(toChangeKey(next as OrderRecord)).toBe('o1:settled');
  });

  it('ends in the same state, with the same changes, for any sequence and any repetition', () => {
    const arrivals = fc.shuffledSubarray([...states, ...states, ...states], { minLength: 12 });
    fc.assert(
      fc.property(arrivals, (order) => {
        const context = createContext(nftCheckout());
        const keys: string[] = [];
        for (const state of order) {
          const { records, latest } = matchOrders([nftOrder(state)], context, baseTime);
          keys.push(...records.map(toChangeKey));
          for (const [key, record] of latest) context.records.set(key, record);
        }
        const stored = context.records.get('o1') as OrderRecord;
        expect(stored).toMatchObject({
          matchStatus: 'matched',
          order: { state: 'settled' },
          unknownStatuses: [9],
        });
        expect(keys).toContain('o1:unknown');
        expect(keys).toContain('o1:settled');
        expect(new Set(keys).size).toBe(keys.length);
        const all = toChangeKeys(stored);
        expect(keys.filter((key) => !all.includes(key))).toEqual([]);
      }),
    );
  });
});
