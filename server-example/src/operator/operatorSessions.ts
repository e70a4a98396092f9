import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { withTransaction } from '@partner-ramp/react/server/sql';
import type { Database } from '../database/openDatabase.js';

/** A working day. */
export const SESSION_SECONDS = 8 * 3600;

/** Who is signed in as the operator. In the database, so that every instance knows, and signing out counts. */
export interface OperatorSessions {
  /** A token for the cookie, or nothing when the password is not the operator's. */
  signIn(password: string): Promise<string | undefined>;
  isSignedIn(token: string | undefined): Promise<boolean>;
  signOut(token: string | undefined): Promise<void>;
}

/**
 * @param password - Part of what is kept of each token: a new one ends every session.
 * @param now - Milliseconds since 1970.
 */
export function operatorSessions(
  database: Database,
  password: string,
  now: () => number,
): OperatorSessions {
  const seconds = () => Math.floor(now() / 1000);
  const hashToken = (text: string) =>
    createHmac('sha256', password).update(text).digest('base64url');
  // Hashes have one length, and under a key of this process nobody knows which bytes are compared.
  const key = randomBytes(32);
  const digest = (text: string) => createHmac('sha256', key).update(text).digest();
  const expected = digest(password);
  return {
    async signIn(given) {
      if (!timingSafeEqual(digest(given), expected)) return undefined;
      const token = randomBytes(32).toString('base64url');
      const row = { token_hash: hashToken(token), expires_at: seconds() + SESSION_SECONDS };
      await withTransaction(database.db, async (db) => {
        await db.deleteFrom('shop_operators').where('expires_at', '<=', seconds()).execute();
        await db.insertInto('shop_operators').values(row).execute();
      });
      return token;
    },
    async isSignedIn(token) {
      if (!token) return false;
      const found = await database.db
        .selectFrom('shop_operators')
        .select('expires_at')
        .where('token_hash', '=', hashToken(token))
        .executeTakeFirst();
      return found !== undefined && Number(found.expires_at) > seconds();
    },
    async signOut(token) {
      if (!token) return;
      await withTransaction(database.db, (db) =>
        db.deleteFrom('shop_operators').where('token_hash', '=', hashToken(token)).execute(),
      );
    },
  };
}
