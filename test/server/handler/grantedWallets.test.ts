import { describe, expect, it, vi } from 'vitest';
import type { CheckoutSelection } from '../../../src/protocol/handler/selection.js';
import { findWalletIssues } from '../../../src/server/wallets/checkWallets.js';
import { marketListing } from '../../support/sandbox/nftListings.js';
import { callHandler, createTestHandler } from '../../support/server/createTestHandler.js';
import { createTestRamp } from '../../support/server/createTestRamp.js';
import { publishedAddresses } from '../../support/server/publishedAddresses.js';

const [evm = ''] = publishedAddresses.evm.slice(4);
const wrong = evm.replace('d', 'c');
const [bitcoin = ''] = publishedAddresses.bitcoin;
const [tron = ''] = publishedAddresses.tron;
const CASE =
  'has upper and lower case that does not match its checksum (EIP-55), so a character may be wrong: copy it again';

const openNft = (params: object, options: { chains?: Record<string, string> } = {}) => {
  const onError = vi.fn();
  const policy = () => ({ params: { ...marketListing, ...params } });
  const handler = createTestHandler({ policy, onError, ...options });
  const body = { widget: 'nft', params: {} };
  return callHandler(handler, { body }).then((result) => ({ ...result, onError }));
};

describe('POST /checkouts for an NFT', () => {
  it.each([
    ['transferWalletAddress', wrong, CASE],
    ['transferWalletAddress', bitcoin, 'is a Bitcoin address, not one on Polygon'],
    ['ownerWalletAddress', tron, 'is a Tron address, not one on Polygon'],
    ['contractAddress', wrong, CASE],
    ['walletAddress', bitcoin, 'is a Bitcoin address, not one on Ethereum'],
  ])('refuses a wrong %s: %s', async (param, address, message) => {
    const { status, json } = await openNft({ [param]: address });
    expect([status, json.error.code]).toEqual([400, 'ERR_PARAMS_INVALID']);
    expect(json.error.issues).toEqual([{ param, message }]);
    expect(json.error.message).toBe(
      `The checkout policy's params were refused: ${param} ${message}.`,
    );
  });

  it('tells the backend how to choose and to check wallets', async () => {
    const { onError } = await openNft({ transferWalletAddress: wrong });
    expect(onError).toHaveBeenCalledOnce();
    expect(onError.mock.calls[0]?.[0].cause.message).toMatch(
      /chooseWallet.*findWalletIssue.*chains/,
    );
  });

  it.each([
    ['addresses in one case', { transferWalletAddress: evm.toLowerCase() }],
    ['an unknown network', { nftNetwork: 'zora', transferWalletAddress: 'anything' }],
    ['an unknown currency', { cryptoCurrency: 'FOO', walletAddress: 'anything' }],
    ['a contract of another form', { nftNetwork: 'stellar', contractAddress: 'C1' }],
    [
      'an address of Harmony',
      {
        nftNetwork: 'harmony',
        transferWalletAddress: 'one1a50tun737ulcvwy0yvve0pvu5skq0kjargvhwe',
      },
    ],
  ])('signs %s', async (what, params) => {
    const own = what.includes('form') ? publishedAddresses.stellar[0] : evm;
    const wallets = { transferWalletAddress: own, ownerWalletAddress: own };
    const { status, json } = await openNft({ ...wallets, ...params });
    expect([status, json.error?.message]).toEqual([201, undefined]);
  });

  it('reads other codes of the service from the option chains', async () => {
    const params = { nftNetwork: 'zora', transferWalletAddress: bitcoin };
    expect((await openNft(params, { chains: { zora: 'evm' } })).json.error.issues).toEqual([
      { param: 'transferWalletAddress', message: 'is a Bitcoin address, not one on EVM' },
    ]);
    const unchecked = { transferWalletAddress: wrong };
    expect((await openNft(unchecked, { chains: { polygon: 'own' } })).status).toBe(201);
  });

  it('leaves malformed values to the signer', async () => {
    const { json } = await openNft({ transferWalletAddress: 7, walletAddress: '' });
    expect(json.error.issues.map(({ param }: { param: string }) => param)).toEqual([
      'transferWalletAddress',
      'walletAddress',
    ]);
  });
});

describe('findWalletIssues', () => {
  const select = (selection: object) => selection as CheckoutSelection;
  const onRamp = (walletAddress: string, selection: object, chains = {}) =>
    findWalletIssues('on-ramp', { walletAddress }, select(selection), chains);

  it.each([
    [{ cryptoCurrency: 'BTC' }, 'is an EVM address, not one on Bitcoin'],
    [{ cryptoCurrency: 'BTC,ETH' }, 'is an EVM address, not one on Bitcoin'],
    [{ cryptoNetwork: 'tron_mainnet' }, 'is an EVM address, not one on Tron'],
    [{ cryptoCurrency: 'ETH,SOL', defaultCurrency: 'SOL' }, 'is an EVM address, not one on Solana'],
  ])('refuses an EVM wallet for %j', (selection, message) => {
    expect(onRamp(evm, selection)).toEqual([{ param: 'walletAddress', message }]);
  });

  it.each([
    [{}],
    [{ fiatCurrency: 'EUR' }],
    [{ cryptoCurrency: 'WIF' }],
    [{ cryptoCurrency: 'BTC', cryptoNetwork: 'lightning' }],
    [{ cryptoCurrency: 'ETH,BTC' }],
    [{ cryptoCurrency: 'USDC_Base' }],
  ])('accepts an EVM wallet for %j', (selection) => {
    expect(onRamp(evm, selection)).toEqual([]);
  });

  it.each([
    [{}],
    [{ cryptoCurrency: '', defaultCurrency: '', cryptoNetwork: '' }],
    [{ fiatCurrency: 'EUR', amount: '100' }],
  ])('accepts any wallet for a page that names no coin: %j', (selection) => {
    expect(onRamp(bitcoin, selection)).toEqual([]);
  });

  it('refuses an X-address with a tag, because an on-ramp checkout has no tag', () => {
    const tagged = 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu';
    expect(onRamp(tagged, { cryptoCurrency: 'XRP' })).toEqual([
      { param: 'walletAddress', message: expect.stringContaining('contains a tag or memo') },
    ]);
    expect(onRamp(publishedAddresses.xrp[5] ?? '', { cryptoCurrency: 'XRP' })).toEqual([]);
  });

  it.each([
    ['1', []],
    ['2', ['walletAddress']],
    ['', ['walletAddress']],
    [undefined, ['walletAddress']],
    [7, ['walletAddress']],
  ])('compares the tag of an X-address with walletAddressTag %j', (walletAddressTag, refused) => {
    const walletAddress = 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu';
    const params = { cryptoCurrency: 'XRP', walletAddress, walletAddressTag };
    const issues = findWalletIssues('nft', params, {}, {});
    expect(issues.map(({ param }) => param)).toEqual(refused);
    for (const { message } of issues)
      expect(message).toBe('contains a tag or memo that is not walletAddressTag');
  });

  it('leaves a cryptocurrency that is no text to the signer', () => {
    expect(findWalletIssues('nft', { cryptoCurrency: 7, walletAddress: evm }, {}, {})).toEqual([]);
  });

  it('goes by the option chains', () => {
    expect(onRamp(evm, { cryptoCurrency: 'BTC' }, { BTC: 'evm' })).toEqual([]);
    expect(onRamp(evm, { cryptoCurrency: 'USDT_SPL' }, { SPL: 'solana' })).toHaveLength(1);
  });
});

describe('chains of createRamp', () => {
  it.each([[{}], [{ SEI: 'sei' }], [{ KAVA: 'kava', linea_mainnet: 'evm' }]])(
    'takes %j',
    (chains) => {
      expect(() => createTestRamp({ chains })).not.toThrow();
    },
  );

  it.each([
    [['solana'], "expects an object of names as chains, such as { USDT_SPL: 'solana' }."],
    ['solana', 'expects an object of names as chains'],
    [{ USDT_SPL: 7 }, 'expects an object of names as chains'],
    [{ USDT_SPL: '' }, 'expects an object of names as chains'],
    [{ USDT_SPL: 'solanna' }, 'has no chain solanna. Did you mean solana?'],
  ])('refuses %j', (chains, message) => {
    expect(() => createTestRamp({ chains: chains as never })).toThrow(message);
  });
});
