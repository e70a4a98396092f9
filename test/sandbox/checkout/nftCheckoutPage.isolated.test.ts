import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { NftParams } from '../../../src/protocol/index.js';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.js';
import { createSandboxClient } from '../../support/sandbox/createSandboxClient.js';
import { marketListing, partnerFields } from '../../support/sandbox/nftListings.js';

vi.mock(
  '../../../src/sandbox/checkout/readWidgetFiles.js',
  () => import('../../support/sandbox/fakeWidgetFiles.js'),
);

const now = () => 1_986_217_096_000;
let sandbox: Sandbox;
let client: ReturnType<typeof createSandboxClient>;

beforeAll(async () => {
  sandbox = await startSandbox({ now });
  client = createSandboxClient(sandbox, now);
});
afterAll(() => sandbox.close());

describe('GET /home for an NFT', () => {
  it('opens in a frame only with windowOpen=1', async () => {
    const headers = { 'Sec-Fetch-Dest': 'iframe' };
    const framed = (params: NftParams) => client.call(client.nftUrl(params), { headers });
    expect((await framed(marketListing)).text).toContain('windowOpen=1');
    expect((await framed(marketListing)).status).toBe(403);
    expect((await framed({ ...marketListing, windowOpen: '1' })).status).toBe(200);
  });

  it('opens in a frame with windowopen=1 too, which some services expect', async () => {
    const headers = { 'Sec-Fetch-Dest': 'iframe' };
    const url = client.nftUrl(marketListing);
    expect((await client.call(`${url}&windowopen=1`, { headers })).status).toBe(200);
    expect((await client.call(`${url}&windowopen=0`, { headers })).status).toBe(403);
    expect((await client.call(`${url}&WINDOWOPEN=1`, { headers })).status).toBe(403);
  });

  it('refuses a currency outside the list for NFTs, and names it', async () => {
    const { status, text } = await client.call(
      client.nftUrl({ ...marketListing, cryptoCurrency: 'USDT_ERC20' }),
    );
    expect(status).toBe(400);
    expect(text).toContain('10002 incorrect params');
    expect(text).toContain('data-widget="nft" data-state="refused" data-reason="nft-currency"');
    expect(text).toContain('NFTs are not priced in USDT_ERC20.');
    expect(text).toContain('USDC_ERC20, USDC_Polygon, ETH');
  });

  it('names the known code that differs only in case', async () => {
    const { text } = await client.call(
      client.nftUrl({ ...marketListing, cryptoCurrency: 'pol_polygon' }),
    );
    expect(text).toContain('Codes are case-sensitive: the list has POL_Polygon.');
  });

  it.each([
    ['amount=0.050', 'amount=0.005'],
    ['0x301E', '0x302E'],
    ['0x53e9', '0x54e9'],
    ['0xc8Dd', '0xc9Dd'],
    ['tokenId=17', 'tokenId=18'],
    ['type=MARKET', 'type=MINT'],
  ])('refuses a changed signed value: %s', async (from, to) => {
    const url = client.nftUrl(marketListing);
    expect(url).toContain(from);
    expect((await client.call(url.replace(from, to))).status).toBe(403);
  });

  it('escapes values of the URL, and embeds no data of the partner', async () => {
    const { text } = await client.call(
      client.nftUrl({ ...marketListing, ...partnerFields, tokenId: '</script><b>' }),
    );
    expect(text).not.toContain('<b>');
    for (const value of [marketListing.walletAddress, ...Object.values(partnerFields)])
      expect(text).not.toContain(value);
  });
});
