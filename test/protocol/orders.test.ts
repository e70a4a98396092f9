import { describe, expect, it } from 'vitest';
import { parseOrder, parseOrderList } from '../../src/protocol/index.js';
import {
  count,
  decimal,
  type Form,
  optional,
  read,
  refused,
  required,
  seconds,
  table,
  text,
} from '../support/wire-forms.js';

describe('an order list (2.5)', () => {
  table(
    {
      page: required(count),
      size: required(count),
      totalCount: required(count),
      list: [
        ['[]', []],
        ['""', []],
        ['["x"]', refused('must be an object')],
      ],
    },
    { page: 1, size: 20, totalCount: 0, list: [] },
    (json) => parseOrderList(read(json)),
  );
});

describe('an order (2.6)', () => {
  const texts = [
    'userId',
    'fiatCurrency',
    'cryptoCurrency',
    'cryptoCurrencyCode',
    'walletAddress',
    'walletAddressTag',
    'gasFeeUnit',
    'platformFeeUnit',
    'totalFeeUnit',
    'payment',
    'txHash',
    'network',
    'blockchainExplorer',
    'ext',
  ];
  const decimals = [
    'currencyAmount',
    'cryptoCurrencyAmount',
    'cryptoCurrencyUnitPrice',
    'gasFee',
    'platformFee',
    'totalFee',
  ];
  const all = (names: readonly string[], forms: readonly Form[]) =>
    Object.fromEntries(names.map((name) => [name, optional(forms)]));
  table(
    {
      orderId: required(text),
      orderStatus: required(count),
      ...all(texts, text),
      ...all(decimals, decimal),
      ...all(['payTime', 'deliverTime', 'finishTime'], seconds),
      nftDetails: [
        ['""', []],
        ['[]', []],
        ['[{"tokenId":7}]', [{ tokenId: '7' }]],
        ['{"tokenId":"7"}', [{ tokenId: '7' }]],
        ['[{"tokenId":"","mintQuantity":""}]', []],
        ['{}', []],
      ],
    },
    { orderId: 'o1', orderStatus: 3 },
    (json) => parseOrder(read(json)),
  );

  it.each([
    ['on-ramp', 3, 'finished'],
    ['on-ramp', 1, 'unknown'],
    ['on-ramp', 2, 'unknown'],
    ['on-ramp', 9, 'unknown'],
    ['nft', 1, 'finished'],
    ['nft', 2, 'settlement'],
    ['nft', 3, 'settled'],
    ['nft', 0, 'unknown'],
  ])('of the kind %s with the status %i is %s (3)', (kind, orderStatus, state) => {
    const nftDetails = kind === 'nft' ? [{ type: 'MINT' }] : '';
    expect(parseOrder({ orderId: 'o1', orderStatus, nftDetails })).toMatchObject({
      kind,
      state,
      orderStatus,
    });
  });
});

describe('NFT details (2.7)', () => {
  const texts = [
    'contractAddress',
    'nftNetwork',
    'tokenId',
    'merchantUniqueId',
    'type',
    'ownerWalletAddress',
    'transferWalletAddress',
    'merchantOrderNo',
    'externalCustomerId',
  ];
  table(
    {
      ...Object.fromEntries(texts.map((name) => [name, optional(text)])),
      mintQuantity: optional(count),
    },
    { contractAddress: '0x1', merchantOrderNo: 'A-1' },
    (json) =>
      parseOrder(read(`{"orderId":"1","orderStatus":1,"nftDetails":[${json}]}`)).nftDetails[0],
  );
});
