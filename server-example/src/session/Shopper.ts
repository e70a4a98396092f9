import { createHash } from 'node:crypto';

/** The two demo accounts. */
export type Account = 'a' | 'b';

/** A shopper. A real shop has a users table instead of this file. */
export interface Shopper {
  readonly id: string;
  /** The ID of the browser, which is the same for both of its accounts. */
  readonly visitor: string;
  readonly name: string;
  /** The wallet that receives this shopper's purchases. */
  readonly wallet: string;
  /** The customer number for the service. Only this shop can link it to a person. */
  readonly customerNo: string;
}

const names: Readonly<Record<Account, string>> = { a: 'Demo shopper A', b: 'Demo shopper B' };

/**
 * Returns the demo shopper of an account and visitor. The wallet is derived from both, so it is always the
 * same. Its key does not exist.
 */
export function createDemoShopper(visitor: string, account: Account): Shopper {
  const id = `${visitor}.${account}`;
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  return {
    id,
    visitor,
    name: names[account],
    wallet: `0x${hash(id).slice(0, 40)}`,
    // The ID contains the visitor, 128 random bits. If your IDs can be guessed, store a random number instead.
    customerNo: hash(`customer ${id}`).slice(0, 32),
  };
}
