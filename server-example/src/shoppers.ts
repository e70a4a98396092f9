import { randomBytes } from 'node:crypto';
import type { Wallets } from '@partner-ramp/react/server';

export interface Shopper {
  readonly id: string;
  readonly name: string;
  /** The wallets by family of chains. Your shop has verified that they belong to this shopper: docs/wallets.md. */
  readonly wallets: Wallets;
}

/** Two demo shoppers without a password. Nobody has the keys of these wallets. */
const shoppers: readonly Shopper[] = [
  {
    id: 'ann',
    name: 'Ann',
    wallets: {
      evm: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e',
      bitcoin: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    },
  },
  { id: 'bob', name: 'Bob', wallets: { evm: '0x8C4EDf2a282cc615B2227807051db3f1cc1C2C08' } },
];

/** Reads a shopper. Your query of the users table replaces it, which is why it is asynchronous. */
const readShopper = async (shopperId: unknown): Promise<Shopper | undefined> =>
  shoppers.find(({ id }) => id === shopperId);

/**
 * The IDs of the signed-in shoppers by session ID. Your session store replaces it: this one forgets everything when it
 * restarts.
 */
const sessions = new Map<string, string>();
/** Above this number, the oldest session ends, so that many sign-ins cannot use up the memory. */
const MAX_SESSIONS = 10_000;

/** The name of the session cookie. */
export const COOKIE = 'session';

/** Starts a session and returns its ID. Returns undefined if there is no such shopper. */
export async function signIn(shopperId: unknown): Promise<string | undefined> {
  const shopper = await readShopper(shopperId);
  if (!shopper) return undefined;
  const session = randomBytes(32).toString('base64url');
  sessions.set(session, shopper.id);
  const [oldest] = sessions.keys();
  if (oldest && sessions.size > MAX_SESSIONS) sessions.delete(oldest);
  return session;
}

/** Ends the session in a `Cookie` header. A copy of the cookie is worthless from then on. */
export function signOut(cookie: string | null | undefined): void {
  sessions.delete(readSession(cookie));
}

/**
 * Returns the shopper of the session in a `Cookie` header, or undefined if nobody is signed in. The shopper is read at
 * each request, so a changed wallet takes effect at once.
 */
export const findShopper = (cookie: string | null | undefined): Promise<Shopper | undefined> =>
  readShopper(sessions.get(readSession(cookie)));

const readSession = (cookie: string | null | undefined): string =>
  new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(cookie ?? '')?.[1] ?? '';
