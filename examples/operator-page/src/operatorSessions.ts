import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { withTransaction } from '@partner-ramp/react/server/sql';
import type { OperatorDatabase } from './operatorTables.js';

/** How long the operator stays signed in: a working day. */
export const SESSION_SECONDS = 8 * 3600;

/**
 * The sessions of the operator. They are stored in the database, so that signing out takes effect on every instance.
 */
export interface OperatorSessions {
  /** Returns a token for the cookie, or undefined if the password is wrong. */
  signIn(password: string): Promise<string | undefined>;
  isSignedIn(token: string | undefined): Promise<boolean>;
  signOut(token: string | undefined): Promise<void>;
}

/**
 * @param password - The operator's password. The stored hash of a token is keyed with it, so a new password ends
 * every session.
 * @param now - Milliseconds since 1970.
 */
export function operatorSessions(
  database: OperatorDatabase,
  password: string,
  now: () => number,
): OperatorSessions {
  const getSeconds = () => Math.floor(now() / 1000);
  const hashToken = (text: string) =>
    createHmac('sha256', password).update(text).digest('base64url');
  // Compare hashes in constant time instead of passwords: `timingSafeEqual` needs equal lengths, and no caller can
  // predict a hash, because `key` is random.
  const key = randomBytes(32);
  const hashSecret = (text: string) => createHmac('sha256', key).update(text).digest();
  const expected = hashSecret(password);
  return {
    async signIn(given) {
      if (!timingSafeEqual(hashSecret(given), expected)) return undefined;
      const token = randomBytes(32).toString('base64url');
      const row = { token_hash: hashToken(token), expires_at: getSeconds() + SESSION_SECONDS };
      await withTransaction(database.db, async (db) => {
        await db.deleteFrom('shop_operators').where('expires_at', '<=', getSeconds()).execute();
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
      return found !== undefined && Number(found.expires_at) > getSeconds();
    },
    async signOut(token) {
      if (!token) return;
      await withTransaction(database.db, (db) =>
        db.deleteFrom('shop_operators').where('token_hash', '=', hashToken(token)).execute(),
      );
    },
  };
}
