import { describe, expect, it } from 'vitest';
import { guessKind, parseSearch } from '../page/parseSearch.js';

const reference = 'q1Jz8sUjXo2dR4TkWb7n9A';
const order = '0f3a9c2e4b5d6f708192a3b4c5d6e7f8';
const dashed = '0f3a9c2e-4b5d-6f70-8192-a3b4c5d6e7f8';
const wallet = `0xA099${'0'.repeat(32)}5d26`;
const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const bareWallet = wallet.slice(2);
const transaction = `0x${'feed'.repeat(16)}`;

describe('parseSearch', () => {
  it.each([
    ['a reference', reference, [reference]],
    [
      'a reference with dashes at its ends',
      `(-${reference.slice(1, -1)}_)`,
      [`-${reference.slice(1, -1)}_`],
    ],
    ['an order number', order, [order]],
    ['an order number with dashes', dashed, [order, dashed]],
    ['a wallet', wallet, [wallet]],
    ['a wallet without 0x', bareWallet, [`0x${bareWallet}`, bareWallet]],
    ['a Bitcoin wallet', bitcoin, [bitcoin]],
    ['a shortened Bitcoin wallet', 'bc1qw5…zwek', ['bc1qw5…zwek']],
    ['a transaction', transaction, [transaction]],
    ['a shortened wallet', '0xa099…5d26', ['0xa099…5d26']],
    ['three dots for an ellipsis', '0xA099...5D26', ['0xA099…5D26']],
    ['spaces around the ellipsis', ' 0xa099 … 5d26\n', ['0xa099…5d26']],
    ['a shortened wallet without 0x', 'a099…5d26', ['0xa099…5d26', 'a099…5d26']],
    ['spaces within a name', order.replace(/(.{8})/g, '$1 '), [order]],
    ['the marks of right-to-left texts', `\u200f${wallet}\u202c`, [wallet]],
    ['the beginning of a name', '0xa099', ['0xa099']],
    ['the beginning of an order number or a wallet', 'a099', ['0xa099', 'a099']],
    [
      'the beginning of an order number with a dash',
      '0f3a9c2e-4b5d',
      ['0f3a9c2e4b5d', '0f3a9c2e-4b5d'],
    ],
    ['a number sign', `#${order}`, [order]],
    ['quotes and a full stop', `“${reference}”.`, [reference]],
    [
      'the address of an explorer',
      `https://explorer.example/ethereum/tx/${transaction}?tab=1#logs`,
      [transaction],
    ],
    ['the address of a wallet', `https://explorer.example/address/${wallet}/`, [wallet]],
    ['a link to this page', `https://shop.example/operator#checkout=${reference}`, [reference]],
    ['the tag of a shopper', 'H2gukw', ['H2gukw']],
    ['the tag of a shopper as rows show it', 'Demo shopper A · H2gukw', ['H2gukw']],
  ])('finds %s', (_, text, names) => {
    expect(parseSearch(text)).toEqual(names);
  });

  it.each([
    [
      'a reference',
      `I paid, and your page says "under review". The reference is ${reference}.`,
      [reference],
    ],
    ['a shortened wallet', 'I paid and nothing came... My wallet is 0xa099…5d26.', ['0xa099…5d26']],
    ['several names', `Order: ${dashed}, wallet:${wallet}; ${wallet}`, [order, dashed, wallet]],
    ['the beginning of a wallet', 'My wallet starts with 0xa099, help!', ['0xa099']],
    ['a Bitcoin wallet', `I paid, my wallet is ${bitcoin}.`, [bitcoin]],
    ['the beginning of a Bitcoin wallet', 'Mine starts with bc1qwek, help!', ['bc1qwek']],
    ['a number in another format', 'My order is PO-20261123-77 from today.', ['PO-20261123-77']],
  ])('takes %s out of a sentence', (_, text, names) => {
    expect(parseSearch(text)).toEqual(names);
  });

  it('takes at most ten texts, of the first five names', () => {
    const orders = Array.from({ length: 9 }, (_, i) => `${i}${dashed.slice(1)}`);
    const names = parseSearch(orders.join('\n'));
    expect(names).toHaveLength(10);
    expect(names.at(-1)).toBe(orders[4]);
  });

  it.each(['I paid 100 USD', 'counterrevolutionaries', 'state-of-the-art-things', '%', '…'])(
    'searches for %j itself, which has no name',
    (text) => {
      expect(parseSearch(text)).toEqual([text.replace(/\s/g, '')]);
    },
  );
});

describe('guessKind', () => {
  it.each([
    [wallet, 'wallet'],
    [bareWallet, 'wallet'],
    [bitcoin, 'wallet'],
    [transaction, 'transaction'],
    [dashed, 'order number'],
    [reference, 'reference'],
    [`${order} ${wallet}`, 'reference, order, wallet or transaction'],
    ['100 USD', 'reference, order, wallet or transaction'],
  ])('names what %j looks like', (text, kind) => {
    expect(guessKind(parseSearch(text))).toBe(kind);
  });
});
