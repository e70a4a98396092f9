import type { CatalogCryptoCurrency } from './cryptoCurrencies.js';
import type { CatalogFiatCurrency } from './fiatCurrencies.js';

/**
 * Returns whether the fiat currency can buy the cryptocurrency. This file imports only types of the catalog, so the
 * widget's page can use it without bundling the catalog.
 */
export const isSoldFor = (
  { notFor }: CatalogCryptoCurrency,
  { code }: CatalogFiatCurrency,
): boolean => !notFor?.includes(code);

/** Returns whether `text` looks like an e-mail address. The check takes linear time and only catches typing errors. */
export const isEmail = (text: string): boolean =>
  text.length <= 254 && /^[^\s@,;<>"]+@[^\s@.,;<>"]+(?:\.[^\s@.,;<>"]+)+$/.test(text);

/** A group of chains that share an address format. */
export type AddressFamily = 'evm' | 'bitcoin' | 'tron' | 'solana';

const families: readonly AddressFamily[] = ['evm', 'bitcoin', 'tron', 'solana'];

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{25,44}$/;
const HEX = /^0x[0-9a-fA-F]{40}$/;
const BECH32 = /^bc1[02-9ac-hj-np-z]{11,71}$/;

/**
 * Returns whether `address` has the format of `family`. Checksums are not verified, because test addresses are often
 * invented.
 */
export function isAddressOfFamily(address: string, family: AddressFamily): boolean {
  switch (family) {
    case 'evm':
      return HEX.test(address);
    case 'bitcoin':
      return BECH32.test(address) || (/^[13]/.test(address) && countBase58Bytes(address) === 25);
    case 'tron':
      return address.startsWith('T') && countBase58Bytes(address) === 25;
    case 'solana':
      return countBase58Bytes(address) === 32;
  }
}

export const findAddressFamilies = (address: string): readonly AddressFamily[] =>
  families.filter((family) => isAddressOfFamily(address, family));

/**
 * Returns the number of bytes that Base58 text decodes to, or 0 for other text. Bitcoin, Tron and Solana use the same
 * alphabet, so the length helps to tell their addresses apart.
 */
function countBase58Bytes(text: string): number {
  if (!BASE58.test(text)) return 0;
  let value = 0n;
  for (const letter of text) value = value * 58n + BigInt(ALPHABET.indexOf(letter));
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  return zeros + (value === 0n ? 0 : Math.ceil(value.toString(16).length / 2));
}
