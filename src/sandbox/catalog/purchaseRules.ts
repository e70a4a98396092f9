import { readAddress } from '../../server/wallets/addressFormats.js';
import type { WalletFamily } from '../../server/wallets/chains.js';
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

/** The families of the catalog's chains. */
export type AddressFamily = Extract<WalletFamily, 'evm' | 'bitcoin' | 'tron' | 'solana'>;

const families: readonly AddressFamily[] = ['evm', 'bitcoin', 'tron', 'solana'];

/** Returns whether `address` is an address of `family`, with the right checksum if the family has one. */
export const isAddressOfFamily = (address: string, family: AddressFamily): boolean =>
  readAddress(family, address).isAddress;

export const findAddressFamilies = (address: string): readonly AddressFamily[] =>
  families.filter((family) => isAddressOfFamily(address, family));
