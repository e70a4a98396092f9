import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bech32 } from '@scure/base';

/** The two demo accounts. */
export type Account = 'a' | 'b';

/** A signed-in shopper. A real shop has a users table instead of this file. */
export interface Shopper {
  readonly id: string;
  readonly name: string;
  /** The wallets that receive this shopper's purchases, by family of chains. */
  readonly wallets: { readonly evm: string; readonly bitcoin: string };
  /** The customer number that is sent to the service. Only this shop can link the number to a person. */
  readonly customerNo: string;
}

const names: Readonly<Record<Account, string>> = { a: 'Demo shopper A', b: 'Demo shopper B' };

/** Returns a name by which the operator can tell shoppers apart. A real shop looks it up in its users table. */
export function formatShopper(id: string): string {
  const [, visitor, account] = /^(.+)\.([ab])$/.exec(id) ?? [];
  return visitor ? `${names[account as Account]} · ${visitor.slice(0, 6)}` : id;
}

/**
 * Returns the demo shopper of an account and visitor. The wallets are derived from both, so they are always the same.
 * Nobody has their private keys.
 */
export function createDemoShopper(visitor: string, account: Account): Shopper {
  const id = `${visitor}.${account}`;
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return {
    id,
    name: names[account],
    wallets: {
      evm: toEvmAddress(hash(id).subarray(0, 20)),
      bitcoin: toBitcoinAddress(hash(`bitcoin ${id}`).subarray(0, 20)),
    },
    // Hashing is enough, because `id` contains the 128 random bits of `visitor`. If your IDs can be guessed, store a
    // random number instead.
    customerNo: hash(`customer ${id}`).toString('hex').slice(0, 32),
  };
}

/** Writes an address with the checksum of EIP-55: the hash of the digits decides which letters are upper case. */
function toEvmAddress(bytes: Buffer): string {
  const digits = bytes.toString('hex');
  const checksum = Buffer.from(keccak_256(Buffer.from(digits))).toString('hex');
  const cased = [...digits].map((digit, i) =>
    checksum.charAt(i) < '8' ? digit : digit.toUpperCase(),
  );
  return `0x${cased.join('')}`;
}

/** Writes the address of a key's hash (P2WPKH, BIP-173). Its checksum is part of Bech32. */
const toBitcoinAddress = (keyHash: Buffer): string =>
  bech32.encode('bc', [0, ...bech32.toWords(keyHash)]);
