import { describe, expect, it } from 'vitest';
import {
  parseOrder,
  parseOrderList,
  parseOrderPage,
} from '../../../src/protocol/api/parseResources.js';
import {
  count,
  decimal,
  expectIssue,
  lenient,
  optional,
  parseWireJson,
  required,
  seconds,
  testWireForms,
  text,
  type WireCase,
} from './testWireForms.js';

describe('parseOrderList (section 2.5)', () => {
  testWireForms(
    {
      page: required(count),
      size: required(count),
      totalCount: required(count),
      list: [
        ['[]', []],
        ['""', []],
        ['["x"]', expectIssue('must be an object')],
      ],
    },
    { page: 1, size: 20, totalCount: 0, list: [] },
    (json) => parseOrderList(parseWireJson(json)),
  );
});

describe('parseOrderPage with malformed orders', () => {
  const page = (list: unknown) => ({ page: 1, size: 20, totalCount: 4, list });

  it('returns the valid orders, and one error without other content for each malformed order', () => {
    const secret = 'customer@mail.example';
    const { list, malformed, ...rest } = parseOrderPage(
      page([
        { orderId: 'o1', orderStatus: 3 },
        { orderId: 'o2', orderStatus: secret, currencyAmount: [secret], walletAddress: secret },
        null,
        { orderId: `o4\n${'x'.repeat(500)}`, ext: secret },
      ]),
    );
    expect(rest).toEqual({ page: 1, size: 20, totalCount: 4 });
    expect(list).toMatchObject([{ orderId: 'o1', state: 'finished' }]);
    expect(malformed.map(({ code, issues }) => [code, issues?.map(({ param }) => param)])).toEqual([
      ['ERR_RESPONSE_INVALID', ['orderStatus', 'currencyAmount']],
      ['ERR_RESPONSE_INVALID', ['']],
      ['ERR_RESPONSE_INVALID', ['orderStatus']],
    ]);
    const [second, third, fourth] = malformed.map(({ message }) => message);
    expect(second).toBe(
      'Order o2 does not match section 2.6 of the service interface: orderStatus must be a whole number; currencyAmount must be a decimal number.',
    );
    expect(third).toMatch(/^An order without an orderId .*: it must be an object\.$/);
    expect(fourth).toMatch(/^Order o4 x{61} does not match/);
    expect(JSON.stringify(malformed)).not.toContain(secret);
  });

  it('throws when the page itself is malformed', () => {
    for (const wrong of [null, [], { list: [] }])
      expect(() => parseOrderPage(wrong)).toThrow(
        /The service's response does not match section 2 of the service interface:/,
      );
  });
});

describe('parseOrder (section 2.6)', () => {
  /** The fields that decide what is delivered, and where. */
  const strictTexts = ['fiatCurrency', 'walletAddress', 'walletAddressTag', 'ext'];
  const texts = [
    'userId',
    'cryptoCurrency',
    'cryptoCurrencyCode',
    'gasFeeUnit',
    'platformFeeUnit',
    'totalFeeUnit',
    'payment',
    'txHash',
    'network',
    'blockchainExplorer',
  ];
  const decimals = [
    'cryptoCurrencyAmount',
    'cryptoCurrencyUnitPrice',
    'gasFee',
    'platformFee',
    'totalFee',
  ];
  const all = (names: readonly string[], forms: readonly WireCase[]) =>
    Object.fromEntries(names.map((name) => [name, optional(forms)]));
  const allLenient = (names: readonly string[], forms: readonly WireCase[]) =>
    all(names, lenient(forms));
  testWireForms(
    {
      orderId: required(text),
      orderStatus: required(count),
      ...all(strictTexts, text),
      ...all(['currencyAmount'], decimal),
      ...allLenient(texts, text),
      ...allLenient(decimals, decimal),
      ...allLenient(['payTime', 'deliverTime', 'finishTime'], seconds),
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
    (json) => parseOrder(parseWireJson(json)),
  );

  it('keeps as text what it leaves out, so that one wrong fee hides no paid order', () => {
    const wire = { payTime: '1666000000000', gasFee: '-', network: { id: 1 }, ext: 'r1' };
    const order = parseOrder({ orderId: 'o1', orderStatus: 3, ...wire });
    expect(order).toMatchObject({ orderId: 'o1', state: 'finished', ext: 'r1' });
    expect([order.payTime, order.gasFee, order.network]).toEqual([undefined, undefined, undefined]);
    expect(order.unreadable).toEqual({
      payTime: '"1666000000000"',
      gasFee: '"-"',
      network: '{"id":1}',
    });
    expect(parseOrder({ orderId: 'o1', orderStatus: 3 })).not.toHaveProperty('unreadable');
  });

  it('keeps at most 200 characters of a field', () => {
    const order = parseOrder({ orderId: 'o1', orderStatus: 3, gasFee: 'x'.repeat(999) });
    expect(order.unreadable?.gasFee).toHaveLength(200);
  });

  it.each([
    ['on-ramp', 3, 'finished'],
    ['on-ramp', 1, 'unknown'],
    ['on-ramp', 2, 'unknown'],
    ['on-ramp', 9, 'unknown'],
    ['nft', 1, 'finished'],
    ['nft', 2, 'settlement'],
    ['nft', 3, 'settled'],
    ['nft', 0, 'unknown'],
  ])('parses an %s order with status %i as %s (section 3)', (kind, orderStatus, state) => {
    const nftDetails = kind === 'nft' ? [{ type: 'MINT' }] : '';
    expect(parseOrder({ orderId: 'o1', orderStatus, nftDetails })).toMatchObject({
      kind,
      state,
      orderStatus,
    });
  });
});

describe('parseOrder with NFT details (section 2.7)', () => {
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
  testWireForms(
    {
      ...Object.fromEntries(texts.map((name) => [name, optional(text)])),
      mintQuantity: optional(count),
    },
    { contractAddress: '0x1', merchantOrderNo: 'A-1' },
    (json) =>
      parseOrder(parseWireJson(`{"orderId":"1","orderStatus":1,"nftDetails":[${json}]}`))
        .nftDetails[0],
  );
});
