import { createHash } from 'node:crypto';

/** The two demo accounts. */
export type Account = 'a' | 'b';

/** A signed-in shopper. A real shop has a users table instead of this file. */
export interface Shopper {
  readonly id: string;
  /** The ID of the browser, which is the same for both of its accounts. */
  readonly visitor: string;
  readonly name: string;
  /** The wallet that receives this shopper's purchases. */
  readonly wallet: string;
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
 * Returns the demo shopper of an account and visitor. The wallet is derived from both, so it is always the same.
 * Nobody has the wallet's private key.
 */
export function createDemoShopper(visitor: string, account: Account): Shopper {
  const id = `${visitor}.${account}`;
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  return {
    id,
    visitor,
    name: names[account],
    wallet: `0x${hash(id).slice(0, 40)}`,
    // Hashing is enough, because `id` contains the 128 random bits of `visitor`. If your IDs can be guessed, store a
    // random number instead.
    customerNo: hash(`customer ${id}`).slice(0, 32),
  };
}
