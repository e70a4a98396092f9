import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckoutSelection, Untrusted } from '../../../src/protocol/handler/selection.js';
import {
  chooseWallet,
  isRampError,
  readSelected,
  type WalletOptions,
  type Wallets,
} from '../../../src/server/index.js';

const wallets = { evm: 'an EVM wallet', bitcoin: 'a Bitcoin wallet', solana: 'a Solana wallet' };

/** Writes a selection as a page sends it. */
const select = (selection: Partial<Record<keyof CheckoutSelection, string>>) =>
  selection as unknown as CheckoutSelection;

const refusalOf = (
  selection: Partial<Record<keyof CheckoutSelection, string>>,
  given: Wallets = wallets,
  options?: WalletOptions,
) => {
  try {
    return `chose ${chooseWallet(select(selection), given, options)}`;
  } catch (error) {
    if (!isRampError(error)) throw error;
    return `${error.code}: ${error.message}`;
  }
};

describe('chooseWallet', () => {
  it.each([
    ['the preselected coin', { defaultCurrency: 'BTC' }, wallets.bitcoin],
    ['the first offered coin', { cryptoCurrency: 'SOL,BTC,ETH' }, wallets.solana],
    [
      'the preselected coin of the offered ones',
      { cryptoCurrency: 'SOL,BTC', defaultCurrency: 'BTC' },
      wallets.bitcoin,
    ],
    [
      'the first offered coin if the preselected one is not offered',
      { cryptoCurrency: 'SOL', defaultCurrency: 'BTC' },
      wallets.solana,
    ],
    ['the chain in the code', { cryptoCurrency: 'USDC_Solana' }, wallets.solana],
    ['the only network', { cryptoNetwork: 'solana_mainnet' }, wallets.solana],
    [
      'the offered coin on the network',
      { cryptoCurrency: 'BTC,SOL', cryptoNetwork: 'ethereum_mainnet,solana_mainnet' },
      wallets.solana,
    ],
    [
      'the first coin if it is on one of the networks',
      { cryptoCurrency: 'SOL', cryptoNetwork: 'kava_mainnet,solana_mainnet' },
      wallets.solana,
    ],
    [
      'the only network, whatever the coin',
      { cryptoCurrency: 'WIF', cryptoNetwork: 'solana_mainnet' },
      wallets.solana,
    ],
    ['USDT_ERC20 if the page names no coin', {}, wallets.evm],
    ['USDT_ERC20 if the names are empty', { cryptoCurrency: '', defaultCurrency: '' }, wallets.evm],
    ['only the fiat currency', { fiatCurrency: 'EUR', amount: '100' }, wallets.evm],
  ])('goes by %s', (_, selection, wallet) => {
    expect(chooseWallet(select(selection), wallets)).toBe(wallet);
  });

  it('takes USDT_ERC20 if the page sent no selection', () => {
    expect(chooseWallet(undefined, wallets)).toBe(wallets.evm);
  });

  it.each([
    ['BTC', 'bitcoin', 'a Bitcoin'],
    ['ETH', 'evm', 'an Ethereum'],
    ['LTC', 'litecoin', 'a Litecoin'],
    ['DOGE', 'dogecoin', 'a Dogecoin'],
    ['TRX', 'tron', 'a Tron'],
    ['SOL', 'solana', 'a Solana'],
    ['XRP', 'xrp', 'an XRP Ledger'],
    ['XLM', 'stellar', 'a Stellar'],
    ['TON', 'ton', 'a TON'],
    ['ADA', 'cardano', 'a Cardano'],
    ['SUI', 'sui', 'a Sui'],
    ['APT', 'aptos', 'an Aptos'],
    ['USDC_ERC20', 'evm', 'an Ethereum'],
    ['USDC_TRC20', 'tron', 'a Tron'],
    ['USDC_BEP20', 'evm', 'a BNB Smart Chain'],
    ['USDC_BSC', 'evm', 'a BNB Smart Chain'],
    ['USDC_Polygon', 'evm', 'a Polygon'],
    ['USDC_Arbitrum', 'evm', 'an Arbitrum'],
    ['USDC_Optimism', 'evm', 'an Optimism'],
    ['USDC_Base', 'evm', 'a Base'],
    ['USDC_CChain', 'evm', 'an Avalanche'],
    ['USDC_Solana', 'solana', 'a Solana'],
  ])('needs for %s a wallet of the family %s', (cryptoCurrency, family, label) => {
    expect(chooseWallet(select({ cryptoCurrency }), { [family]: 'own' })).toBe('own');
    const symbol = cryptoCurrency.replace(/_.*/, '');
    expect(refusalOf({ cryptoCurrency }, {})).toBe(
      `ERR_POLICY_REFUSED: Add ${label} wallet to buy ${symbol}.`,
    );
  });

  it.each([
    ['ethereum', 'evm', 'an Ethereum'],
    ['polygon', 'evm', 'a Polygon'],
    ['bsc', 'evm', 'a BNB Smart Chain'],
    ['optimism', 'evm', 'an Optimism'],
    ['arbitrum', 'evm', 'an Arbitrum'],
    ['avalanche', 'evm', 'an Avalanche'],
    ['fantom', 'evm', 'a Fantom'],
    ['celo', 'evm', 'a Celo'],
    ['harmony', 'evm', 'a Harmony'],
    ['base', 'evm', 'a Base'],
    ['evm', 'evm', 'an EVM'],
    ['bitcoin', 'bitcoin', 'a Bitcoin'],
    ['litecoin', 'litecoin', 'a Litecoin'],
    ['dogecoin', 'dogecoin', 'a Dogecoin'],
    ['tron', 'tron', 'a Tron'],
    ['solana', 'solana', 'a Solana'],
    ['xrp', 'xrp', 'an XRP Ledger'],
    ['stellar', 'stellar', 'a Stellar'],
    ['ton', 'ton', 'a TON'],
    ['cardano', 'cardano', 'a Cardano'],
    ['sui', 'sui', 'a Sui'],
    ['aptos', 'aptos', 'an Aptos'],
  ])('needs on the network %s a wallet of the family %s', (name, family, label) => {
    for (const cryptoNetwork of [name, `${name}_mainnet`]) {
      expect(chooseWallet(select({ cryptoNetwork }), { [family]: 'own' })).toBe('own');
      expect(refusalOf({ cryptoNetwork, cryptoCurrency: 'WIF' }, {})).toBe(
        `ERR_POLICY_REFUSED: Add ${label} wallet to buy this coin.`,
      );
    }
  });

  it.each([
    ['an unknown coin', { cryptoCurrency: 'WIF' }],
    ['an unknown chain in the code', { cryptoCurrency: 'USDT_SPL' }],
    ['a code in another case', { cryptoCurrency: 'btc' }],
    ['a coin that several chains have', { cryptoCurrency: 'POL' }],
    ['an unknown network', { cryptoCurrency: 'BTC', cryptoNetwork: 'lightning' }],
    ['a test network', { cryptoNetwork: 'solana_devnet' }],
    ['a network with its net inside its name', { cryptoNetwork: 'sol_mainnetana' }],
    ['one unknown network of several', { cryptoNetwork: 'solana_mainnet,kava_mainnet' }],
    [
      'a coin that may be on an unknown network',
      { cryptoCurrency: 'BTC,SOL', cryptoNetwork: 'lightning,solana_mainnet' },
    ],
    [
      'an unknown coin on one of several networks',
      { cryptoCurrency: 'WIF,SOL', cryptoNetwork: 'tron_mainnet,solana_mainnet' },
    ],
    ['only coins of other networks', { cryptoNetwork: 'tron_mainnet,solana_mainnet' }],
    ['two codes as the preselected coin', { defaultCurrency: 'BTC,ETH' }],
    ['a name that every object has', { cryptoCurrency: 'constructor' }],
    ['a prototype', { cryptoNetwork: '__proto__' }],
  ])('refuses %s, because it never guesses', (_, selection) => {
    expect(refusalOf(selection)).toBe(
      'ERR_POLICY_REFUSED: This shop cannot deliver the selected coin. Choose another one.',
    );
  });

  it('tells the developer the cause', () => {
    expect(() => chooseWallet(select({ cryptoCurrency: 'WIF' }), wallets)).toThrow(
      expect.objectContaining({
        cause: expect.objectContaining({
          message: expect.stringMatching(/^chooseWallet does not know .+ the option chains/),
        }),
      }),
    );
  });

  it.each([
    ['BTC', 'Add a Bitcoin wallet to buy BTC.'],
    ['USDT_ERC20', 'Add an Ethereum wallet to buy USDT.'],
    ['BNB_BSC', 'Add a BNB Smart Chain wallet to buy BNB.'],
    ['XRP', 'Add an XRP Ledger wallet to buy XRP.'],
    ['AVAX_CChain', 'Add an Avalanche wallet to buy AVAX.'],
    ['x_ERC20', 'Add an Ethereum wallet to buy this coin.'],
    ['USDT.b_ERC20', 'Add an Ethereum wallet to buy this coin.'],
  ])('names the wallet that is missing for %s', (cryptoCurrency, words) => {
    for (const missing of [{}, { evm: '', bitcoin: undefined }])
      expect(refusalOf({ cryptoCurrency }, missing)).toBe(`ERR_POLICY_REFUSED: ${words}`);
  });

  it('prefers the wallet of a chain to that of its family', () => {
    const given = { evm: 'own account', polygon: 'Safe on Polygon' };
    expect(chooseWallet(select({ cryptoCurrency: 'USDC_Polygon' }), given)).toBe('Safe on Polygon');
    expect(chooseWallet(select({ cryptoCurrency: 'USDC_Base' }), given)).toBe('own account');
  });

  it.each([
    ['a code', { USDT_SPL: 'solana' }, { cryptoCurrency: 'USDT_SPL' }],
    ['the end of a code', { SPL: 'solana' }, { cryptoCurrency: 'USDC_SPL' }],
    ['a network', { sol_main: 'solana' }, { cryptoNetwork: 'sol_main' }],
    ['a network without its net', { sol: 'solana' }, { cryptoNetwork: 'sol_mainnet' }],
    ['a code that the service reads differently', { BTC: 'solana' }, { cryptoCurrency: 'BTC' }],
  ])('reads %s from the option chains', (_, chains, selection) => {
    expect(chooseWallet(select(selection), wallets, { chains })).toBe(wallets.solana);
  });

  it('ignores inherited names', () => {
    const chains = Object.create({ WIF: 'solana' });
    expect(refusalOf({ cryptoCurrency: 'WIF' }, wallets, { chains })).toContain('Choose another');
  });

  it('chooses the wallet of a chain of your own', () => {
    const chains = { KAVA: 'kava' };
    const given = { evm: 'an EVM wallet', kava: 'a Kava wallet' };
    expect(chooseWallet(select({ cryptoCurrency: 'KAVA' }), given, { chains })).toBe(given.kava);
    expect(refusalOf({ cryptoCurrency: 'KAVA' }, { evm: 'x' }, { chains })).toBe(
      'ERR_POLICY_REFUSED: Add a kava wallet to buy KAVA.',
    );
  });

  it('names the coin that is offered on the only network', () => {
    const selection = { cryptoCurrency: 'BTC,SOL', cryptoNetwork: 'solana_mainnet' };
    expect(refusalOf(selection, {})).toBe('ERR_POLICY_REFUSED: Add a Solana wallet to buy SOL.');
  });

  it('suggests the name of a misspelt wallet, but not for a short one', () => {
    expect(refusalOf({}, { evm: 'x', solan: 'y' })).toContain('Did you mean solana?');
    expect(refusalOf({}, { evm: 'x', sei: 'y' })).toBe('chose x');
    expect(refusalOf({}, { evm: 'x', bitcion: 'y' })).toBe(
      'ERR_CONFIG_INVALID: chooseWallet has no wallet bitcion. Did you mean bitcoin?',
    );
  });

  it('returns one of the wallets or refuses, whatever a page sends', () => {
    const code = fc.constantFrom('BTC', 'ETH', 'SOL', 'TRX', 'USDT_TRC20', '', 'evm', '__proto__');
    const list = fc.oneof(
      fc.array(code).map((codes) => codes.join(',')),
      fc.string(),
      fc.constantFrom(null, 7, ['BTC'], {}),
    );
    const selections = fc.record(
      { cryptoCurrency: list, defaultCurrency: list, cryptoNetwork: list },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(selections, (selection) => {
        const result = refusalOf(selection as never);
        const chosen = Object.values(wallets).map((wallet) => `chose ${wallet}`);
        if (!chosen.includes(result))
          expect(result).toMatch(/^ERR_POLICY_REFUSED: (Add|This shop)/);
      }),
    );
  });
});

describe('readSelected', () => {
  const untrusted = (value: unknown) => value as Untrusted;

  it('returns a value of the list', () => {
    expect(readSelected(untrusted('BTC'), ['BTC', 'ETH'])).toBe('BTC');
  });

  it.each(['btc', 'BTC,ETH', '', undefined, null, ['BTC'], { toString: () => 'BTC' }])(
    'returns undefined for %j',
    (value) => {
      expect(readSelected(untrusted(value), ['BTC', 'ETH'])).toBeUndefined();
    },
  );
});
