import { describe, expect, it } from 'vitest';
import { findWalletIssue, type WalletFamily } from '../../../src/server/index.js';
import { publishedAddresses } from '../../support/server/publishedAddresses.js';

const [evm = ''] = publishedAddresses.evm.slice(4);
const [bitcoin = ''] = publishedAddresses.bitcoin;
const [tron = ''] = publishedAddresses.tron;
const [sui = ''] = publishedAddresses.sui;
const tagged = 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu';
const harmony = 'one1a50tun737ulcvwy0yvve0pvu5skq0kjargvhwe';

describe('findWalletIssue', () => {
  it.each([
    [evm, 'evm'],
    [evm, 'polygon'],
    [evm, 'base_mainnet'],
    [evm, 'USDT_ERC20'],
    [bitcoin, 'BTC'],
    [tron, 'USDT_TRC20'],
    [harmony, 'harmony'],
    [evm, 'harmony'],
  ])('accepts %s on %s', async (address, on) => {
    expect(await findWalletIssue(address, on)).toBeUndefined();
  });

  it.each([
    ['family', bitcoin, 'USDT_ERC20', 'is a Bitcoin address, not one on Ethereum'],
    ['family', evm, 'BTC', 'is an EVM address, not one on Bitcoin'],
    ['family', tron, 'polygon', 'is a Tron address, not one on Polygon'],
    ['family', sui, 'solana', 'is a Sui or Aptos address, not one on Solana'],
    [
      'network',
      'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
      'bitcoin',
      'is an address on a test network, not on Bitcoin',
    ],
    [
      'checksum',
      tron.replace('TN', 'TM'),
      'TRX',
      'has a wrong checksum, so a character is wrong or missing: copy the Tron address again',
    ],
    [
      'case',
      evm.replace('d', 'c'),
      'ETH',
      'has upper and lower case that does not match its checksum (EIP-55), so a character may be wrong: copy it again',
    ],
    [
      'tag',
      tagged,
      'XRP',
      'contains a tag or memo, which this checkout cannot pass on: use an address without one',
    ],
    ['format', '0x12', 'ETH', 'is not an address on Ethereum'],
    ['format', harmony, 'ETH', 'is not an address on Ethereum'],
    ['format', '', 'SOL', 'is not an address on Solana'],
  ])('finds that the %s of %s is wrong on %s', async (reason, address, on, message) => {
    expect(await findWalletIssue(address, on)).toEqual({ reason, message });
  });

  it('names the right spelling if only the case of a letter is wrong', async () => {
    expect(await findWalletIssue(evm.replace('5aA', '5AA'), 'ETH')).toEqual({
      reason: 'case',
      message:
        'has upper and lower case that does not match its checksum (EIP-55): write the letters as EIP-55 does, or all in lower case',
      spelling: evm,
    });
  });

  it('never repeats the address in words', async () => {
    for (const family of Object.keys(publishedAddresses) as WalletFamily[])
      for (const address of Object.values(publishedAddresses).flat())
        expect((await findWalletIssue(address, family))?.message ?? '').not.toContain(address);
  });

  it('accepts any text on a chain of your own', async () => {
    expect(await findWalletIssue('kava1', 'KAVA', { chains: { KAVA: 'kava' } })).toBeUndefined();
  });

  it.each(['lightning', 'WIF', 'btc', 'constructor', ''])(
    'refuses %j, which names no chain',
    async (on) => {
      await expect(findWalletIssue(evm, on)).rejects.toMatchObject({
        code: 'ERR_CONFIG_INVALID',
        message: expect.stringMatching(/^findWalletIssue expects a family, a chain, a network or/),
      });
    },
  );
});
