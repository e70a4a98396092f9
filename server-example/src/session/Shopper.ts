import { createHash } from 'node:crypto';

/** The two demo accounts. */
export type Account = 'a' | 'b';

/** A shopper. A real shop has a users table instead of this file. */
export interface Shopper {
  readonly id: string;
  /** The browser, whichever of its accounts is signed in. */
  readonly visitor: string;
  readonly name: string;
  /** The wallet that this shopper's purchases go to. */
  readonly wallet: string;
  /** The customer number for the service. Only this shop can link it to a person. */
  readonly customerNo: string;
}

const names: Readonly<Record<Account, string>> = { a: 'Demo shopper A', b: 'Demo shopper B' };

/**
 * The demo shopper behind an account, for one visitor: the same wallet each time, another for
 * each account and visitor. Nobody holds the key to it.
 */
export function createDemoShopper(visitor: string, account: Account): Shopper {
  const id = `${visitor}.${account}`;
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  return {
    id,
    visitor,
    name: names[account],
    wallet: `0x${hash(id).slice(0, 40)}`,
    // The visitor in it is 128 random bits. Where ids can be guessed, keep a random number instead.
    customerNo: hash(`customer ${id}`).slice(0, 32),
  };
}
