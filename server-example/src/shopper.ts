import { createHash } from 'node:crypto';

/** The two demo accounts. */
export type Account = 'a' | 'b';

/** Whom the shop knows somebody as. A real shop has a users table instead of this file. */
export interface Shopper {
  readonly id: string;
  readonly name: string;
  /** The wallet that this shopper's purchases go to. */
  readonly wallet: string;
}

const names: Readonly<Record<Account, string>> = { a: 'Demo shopper A', b: 'Demo shopper B' };

/**
 * The demo shopper behind an account, for one visitor: the same wallet each time, another for
 * each account and visitor. Nobody holds the key to it.
 */
export function demoShopper(visitor: string, account: Account): Shopper {
  const id = `${visitor}.${account}`;
  const wallet = `0x${createHash('sha256').update(id).digest('hex').slice(0, 40)}`;
  return { id, name: names[account], wallet };
}
