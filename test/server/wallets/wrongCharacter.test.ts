import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WalletFamily } from '../../../src/server/index.js';
import { readAddress } from '../../../src/server/wallets/addressFormats.js';
import { publishedAddresses } from '../../support/server/publishedAddresses.js';
import { caseStep } from '../../support/server/sampleCases.js';
import { arbitraryAddresses } from './arbitraryAddresses.js';

const CASES = 20_000 / caseStep(10);
const letters = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
const replaceAt = (address: string, at: number, letter: string) =>
  address.slice(0, at) + letter + address.slice(at + 1);

/** Returns addresses, each with one wrong character. */
const sampleWrong = (family: WalletFamily): readonly string[] =>
  fc
    .sample(fc.tuple(arbitraryAddresses[family], fc.nat(), fc.nat()), CASES)
    .map(([address, at, n]) => {
      const others = letters.filter((letter) => letter !== address[at % address.length]);
      return replaceAt(address, at % address.length, others[n % others.length] as string);
    });

const isAccepted = (family: WalletFamily) => (address: string) =>
  readAddress(family, address).isAddress;

describe(`${CASES.toLocaleString('en')} addresses with one wrong character`, {
  timeout: 60_000,
}, () => {
  it.each(['bitcoin', 'litecoin', 'dogecoin', 'tron', 'xrp', 'stellar', 'ton', 'cardano'] as const)(
    'are all refused in the family %s',
    (family) => {
      const right = fc.sample(arbitraryAddresses[family], 100);
      expect(right.filter(isAccepted(family))).toEqual(right);
      expect(sampleWrong(family).filter(isAccepted(family))).toEqual([]);
    },
  );

  // EIP-55 has one bit for each letter, 15 on average. A wrong digit passes if all of them happen to be right, or if
  // all letters have the same case, which counts as no checksum.
  it('are refused in the family evm, but for 2 in 1,000', () => {
    const right = fc.sample(arbitraryAddresses.evm, 100);
    expect(right.filter(isAccepted('evm'))).toEqual(right);
    expect(sampleWrong('evm').filter(isAccepted('evm')).length).toBeLessThanOrEqual(CASES / 500);
  });
});

it('refuses every published EVM address with one wrong character', () => {
  const mixed = publishedAddresses.evm.filter((it) => /[a-f]/.test(it) && /[A-F]/.test(it));
  const wrong = mixed.flatMap((address) =>
    [...address].flatMap((right, at) =>
      letters.filter((letter) => letter !== right).map((letter) => replaceAt(address, at, letter)),
    ),
  );
  expect(wrong.length).toBeGreaterThan(10_000);
  expect(wrong.filter(isAccepted('evm'))).toEqual([]);
});
