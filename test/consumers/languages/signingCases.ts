import { createHash } from 'node:crypto';
import type { Widget } from '@partner-ramp/react/protocol';

type Values = Readonly<Record<string, string>>;

export interface SigningCase {
  readonly widget: Widget;
  readonly params: Values;
  /** Further parameters to sign, which the tables of docs/parameters.md do not list. */
  readonly extraSigned: Values;
  readonly unsigned: Values;
}

const COUNT = 20;

/** Values of `ext` with which signers go wrong: characters that URL encoders treat differently, and odd values. */
const exts = [
  ...['q1Jz8sUjXo2dR4TkWb7n9A', "a b+c~d!e*f'g(h)i/j?k&l=m%n#ö€😀", '', 'order 7 / café (A*)'],
  ...['100%', '%20', 'a%2Bb', '+ +', '&=&=', '"quoted" <b>\\</b>', '日本語 العربية'],
  ...['🏳️‍🌈👩‍👩‍👧', 'tab\tline\nbreak\r', "~!*'()-_.", '[{"a":1}]', 'x'.repeat(128), '#?#?', '0'],
  ...['|^`{}', '\u00a0\u200b\ufeff.'],
];
const unsignedOnRamp: readonly Values[] = [
  {},
  { amount: '100', defaultFiatCurrency: 'EUR' },
  { amount: '99.50', cryptoCurrency: 'USDT_ERC20,ETH', windowOpen: '1' },
  { amountFixed: '735.50', email: 'ann+shop@example.com' },
  { language: 'pt-BR', fiatCurrency: 'USD,EUR', amount: '' },
  { defaultCurrency: 'ETH', email: '', windowOpen: '1' },
];
const unsignedNft: readonly Values[] = [
  {},
  { language: 'de', windowOpen: '1' },
  { fiatCurrency: 'USD,EUR', defaultFiatCurrency: 'EUR', email: 'ann+shop@example.com' },
  { email: '' },
];
const chains = 'ethereum polygon bsc optimism arbitrum avalanche fantom celo harmony'.split(' ');
const prices = ['0.05', '0.050', '1', '0.123456789012345678', '2.5'];
const currencies = 'USDC_ERC20 USDC_Polygon ETH ETH_Arbitrum BNB_BSC POL_Polygon AVAX_CChain'.split(
  ' ',
);

/** Derives an address from the words, so that it is the same in each run. */
const address = (...words: readonly (string | number)[]) =>
  `0x${createHash('sha256').update(words.join()).digest('hex').slice(0, 40)}`;

function pick<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}

function onRamp(_: unknown, i: number): SigningCase {
  const wallets = [
    ...[address('wallet', i), address('other', i), 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'],
    ...['bitcoincash:qpm2qsznhks23z7629mms6s5cwef74vcwvy22gdx6a', 'user@name.near/path;x,y'],
  ];
  const params = {
    walletAddress: pick(wallets, i),
    walletAddressLocked: pick(['', '0', '1'], i),
    walletAddressHidden: pick(['0', '', '1', ''], i),
    ext: pick(exts, i),
  };
  return { widget: 'on-ramp', params, extraSigned: {}, unsigned: pick(unsignedOnRamp, i) };
}

function nft(_: unknown, i: number): SigningCase {
  const kind =
    i % 2
      ? { type: 'MINT', mintQuantity: pick(['1', '2', '17'], i) }
      : { type: 'MARKET', tokenId: `${17 + i}`, ownerWalletAddress: address('owner', i) };
  const params = {
    ...kind,
    contractAddress: address('contract', i),
    nftNetwork: pick(chains, i),
    transferWalletAddress: address('transfer', i),
    walletAddress: address('settlement', i),
    walletAddressTag: pick(['', '244017845'], i >> 1),
    cryptoCurrency: pick(currencies, i),
    amount: pick(prices, i),
    merchantUniqueId: pick(['print-7', ''], i),
    merchantOrderNo: pick(['', 'A-1'], i),
    externalCustomerId: pick(['c_1', '', ''], i),
    ext: pick(exts, i),
  };
  const timeout = `${Math.floor(Date.now() / 1000) + 900}`;
  const extraSigned: Values = i % 3 ? {} : { timeout };
  return { widget: 'nft', params, extraSigned, unsigned: pick(unsignedNft, i) };
}

export const signingCases: readonly SigningCase[] = [
  ...Array.from({ length: COUNT }, onRamp),
  ...Array.from({ length: COUNT }, nft),
];
