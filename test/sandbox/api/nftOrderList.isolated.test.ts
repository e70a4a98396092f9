import fc from 'fast-check';
import { parse, stringify } from 'lossless-json';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseEnvelope, parseOrderList } from '../../../src/protocol/api/parseResources.js';
import type { OrderList } from '../../../src/protocol/index.js';
import { createWireFormat, createWireRecords } from '../../../src/sandbox/api/wireFormat.js';
import {
  type Sandbox,
  type SandboxOrder,
  type SandboxQuirks,
  startSandbox,
} from '../../../src/sandbox/index.js';
import { parseNftDetails } from '../../../src/sandbox/orders.js';
import { createApiClient } from '../../support/sandbox/createApiClient.js';
import { createSandboxClient } from '../../support/sandbox/createSandboxClient.js';
import { marketListing, mintListing, partnerFields } from '../../support/sandbox/nftListings.js';
import { arbitraryParams } from '../../support/server/arbitraryParams.js';

vi.mock(
  '../../../src/sandbox/checkout/readWidgetFiles.js',
  () => import('../../support/sandbox/fakeWidgetFiles.js'),
);

const NOW = 1_986_217_096_000;

/**
 * Places a MARKET, a MINT and an on-ramp order in a new sandbox, and requests the order list. Returns the raw response,
 * and the parsed orders. The keys of the orders are their `type`, or `on-ramp`.
 */
async function listOf(quirks: boolean | Partial<SandboxQuirks>) {
  const sandbox: Sandbox = await startSandbox({ now: () => NOW, stepMs: 0, quirks });
  const widget = createSandboxClient(sandbox, () => NOW);
  const buyer = { fiatCurrency: 'USD', email: 'ann@shop.example' };
  for (const params of [{ ...marketListing, ...partnerFields }, mintListing]) {
    const { session } = await widget.data(widget.nftUrl(params));
    await widget.post('/home/orders', { session, ...buyer });
  }
  const session = await widget.open({ walletAddressLocked: '1' });
  const amounts = { currencyAmount: '100', cryptoCurrencyCode: 'ETH' };
  await widget.post('/home/orders', { session, ...buyer, ...amounts });
  const range = { startTime: '1986217000', endTime: '1986218000' };
  const { text, json } = await createApiClient(sandbox, () => NOW).get('order', range);
  await sandbox.close();
  const { list } = parseOrderList(parseEnvelope(json));
  return { text, orders: Object.fromEntries(list.map((order) => [nameOf(order), order])) };
}
const nameOf = ({ nftDetails }: OrderList['list'][number]) => nftDetails[0]?.type ?? 'on-ramp';

let plain: Awaited<ReturnType<typeof listOf>>;
beforeAll(async () => {
  plain = await listOf(false);
});

describe('The order list with an NFT order', () => {
  it('contains NFT orders and on-ramp orders, with every signed parameter', () => {
    const { ext, walletAddressTag, ...numbers } = partnerFields;
    expect(plain.orders.MARKET).toMatchObject({
      kind: 'nft',
      state: 'finished',
      orderStatus: 1,
      cryptoCurrencyAmount: '0.050',
      gasFeeUnit: 'ETH',
      walletAddress: marketListing.walletAddress,
      walletAddressTag,
      ext,
      nftDetails: [
        {
          ...numbers,
          contractAddress: marketListing.contractAddress,
          nftNetwork: 'polygon',
          type: 'MARKET',
          tokenId: '17',
          ownerWalletAddress: marketListing.ownerWalletAddress,
          transferWalletAddress: marketListing.transferWalletAddress,
        },
      ],
    });
    expect(plain.orders.MINT?.nftDetails[0]).toMatchObject({ mintQuantity: 3 });
    expect(plain.orders.MINT?.nftDetails[0]?.tokenId).toBeUndefined();
    expect(plain.orders['on-ramp']).toMatchObject({ kind: 'on-ramp', state: 'finished' });
  });

  it('contains all ten fields of an NFT in the response, "" for an empty one', () => {
    const details = plain.text.match(/"nftDetails":\[\{[^}]*\}\]/g) ?? [];
    expect(details).toHaveLength(2);
    for (const text of details)
      expect(Object.keys(JSON.parse(`{${text}}`).nftDetails[0]).sort()).toEqual([
        'contractAddress',
        'externalCustomerId',
        'merchantOrderNo',
        'merchantUniqueId',
        'mintQuantity',
        'nftNetwork',
        'ownerWalletAddress',
        'tokenId',
        'transferWalletAddress',
        'type',
      ]);
    expect(plain.text).toContain('"mintQuantity":3');
    expect(plain.text).toContain('"mintQuantity":""');
    expect(plain.text).toContain('"nftDetails":""');
  });

  const quirky: readonly (true | Partial<SandboxQuirks>)[] = [
    true,
    { timesAsText: true },
    { countsAsText: true },
    { decimalsAsText: true },
  ];
  it.each(quirky)('parses to the same values with the quirks %j', async (quirks) => {
    const odd = await listOf(quirks);
    const random = { orderId: '', userId: '', txHash: '' };
    for (const name of ['MARKET', 'MINT', 'on-ramp'])
      expect({ ...odd.orders[name], ...random }).toEqual({ ...plain.orders[name], ...random });
    if (quirks === true || quirks.countsAsText) expect(odd.text).toContain('"mintQuantity":"3"');
  });

  it('returns every signed value unchanged, with any quirks', () => {
    const flags = fc.record({
      timesAsText: fc.boolean(),
      countsAsText: fc.boolean(),
      decimalsAsText: fc.boolean(),
      emptyListAsText: fc.boolean(),
    });
    const nfts = arbitraryParams.filter(({ widget }) => widget === 'nft');
    const [order] = [plain.orders.MINT] as unknown as SandboxOrder[];
    fc.assert(
      fc.property(nfts, flags, ({ params }, quirks) => {
        const signed = parseNftDetails(params);
        const records = createWireRecords(createWireFormat(quirks), 'http://localhost');
        const list = [{ ...(order as SandboxOrder), nftDetails: [signed] as const }];
        const text = stringify(records.orderList({ page: 1, size: 20, totalCount: 1, list }));
        const read = parseOrderList(parse(text ?? '', undefined, (number) => number));
        const given = Object.entries(read.list[0]?.nftDetails[0] ?? {});
        expect(Object.fromEntries(given.filter(([, value]) => value !== undefined))).toEqual(
          signed,
        );
      }),
    );
  });
});

describe('The order list over several days', () => {
  let clock = NOW;
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ now: () => clock, settleMs: 86_400_000 });
  });
  afterAll(() => sandbox.close());

  it('contains an order at its finish time, with its current status', async () => {
    const widget = createSandboxClient(sandbox, () => clock);
    const { session } = await widget.data(widget.nftUrl(mintListing));
    await widget.post('/home/orders', {
      session,
      fiatCurrency: 'USD',
      email: 'ann@shop.example',
    });
    const states = [];
    for (const wait of [1800, 86_400_000, 86_400_000]) {
      clock += wait;
      const { json } = await createApiClient(sandbox, () => clock).get('order', {
        startTime: '1986217096',
        endTime: '1986217098',
      });
      states.push(parseOrderList(parseEnvelope(json)).list.map(({ state }) => state));
    }
    expect(states).toEqual([['finished'], ['settlement'], ['settled']]);
  });
});
