import { base58xrp, base64urlnopad, bech32, bech32m, hex } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameAccount } from '../../../src/server/wallets/addressFormats.js';
import { publishedAddresses } from '../../support/server/publishedAddresses.js';
import { arbitraryAddresses } from './arbitraryAddresses.js';

const bounceable = 'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF';
const account = hex.encode(base64urlnopad.decode(bounceable).subarray(2, 34));
const evm = '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e';
const harmony = bech32.encode('one', bech32.toWords(hex.decode(evm.slice(2).toLowerCase())));
const words = bech32.toWords(new Uint8Array(20).fill(7));
const xTagged = 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5GGPRGjMuRrRdqrm';

/** Two spellings of one account, which are published as such. */
const sameByDefinition = new Set([
  `${bounceable} UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA`,
  'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59 X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ',
]);

describe('isSameAccount', () => {
  it.each([
    ['EVM without the case of its checksum', evm, evm.toLowerCase()],
    ['TON, bounceable and not', bounceable, 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA'],
    ['TON in its raw form', bounceable, `0:${account}`],
    ['Aptos without the zeros at the beginning', `0x00a${'1'.repeat(61)}`, `0xA${'1'.repeat(61)}`],
    [
      'XRP as an X-address without a tag',
      'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59',
      'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ',
    ],
    ['Harmony as an EVM address', harmony, evm],
    ['Harmony in upper case', harmony.toUpperCase(), harmony],
    [
      'Bech32 in upper case',
      bech32.encode('cosmos', words).toUpperCase(),
      bech32.encode('cosmos', words),
    ],
    [
      'Bech32m in upper case',
      bech32m.encode('bc', [1, ...words]).toUpperCase(),
      bech32m.encode('bc', [1, ...words]),
    ],
  ])('is true for %s', (_, first, second) => {
    expect([isSameAccount(first, second), isSameAccount(second, first)]).toEqual([true, true]);
  });

  it.each([
    ['another case of Base58', 'TQ5pCabc', 'tq5pCabc'],
    ['an X-address with a tag', 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59', xTagged],
    [
      'the same bytes on another chain',
      bech32.encode('cosmos', words),
      bech32.encode('osmo', words),
    ],
    [
      'Bech32 in mixed case',
      bech32.encode('bc', words),
      `BC1${bech32.encode('bc', words).slice(3)}`,
    ],
    ['TON on the masterchain', `0:${account}`, `-1:${account}`],
    ['no address', '', '0x'],
    ['text after a hexadecimal number', '0xabcG', '0xABCG'],
    ['a longer number', `0x${'1'.repeat(65)}`, `0x0${'1'.repeat(65)}`],
  ])('is false for %s', (_, first, second) => {
    expect([isSameAccount(first, second), isSameAccount(second, first)]).toEqual([false, false]);
  });

  it('is false for two different published addresses of a family', () => {
    for (const list of Object.values(publishedAddresses))
      for (const [i, first] of list.entries())
        for (const second of list.slice(i + 1))
          if (!sameByDefinition.has(`${first} ${second}`))
            expect([first, second, isSameAccount(first, second)]).toEqual([first, second, false]);
  });

  it('is true for itself, and false for another address of any family', () => {
    const any = fc.oneof(...Object.values(arbitraryAddresses));
    fc.assert(
      fc.property(any, any, (first, second) => {
        expect(isSameAccount(first, first)).toBe(true);
        if (first !== second) expect(isSameAccount(first, second)).toBe(false);
      }),
    );
  });

  it('reads any text without an error', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => void isSameAccount(a, `${a}${b}`)));
    expect(isSameAccount(base58xrp.encode(new Uint8Array(35)), 'r')).toBe(false);
  });
});
