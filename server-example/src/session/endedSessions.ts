import { withTransaction } from '@partner-ramp/react/server/sql';
import type { ShopDatabase } from '../database/ShopDatabase.js';
import type { Session } from './sessionCookie.js';

/** The sessions that were signed out before they expired, for every instance of the shop. */
export interface EndedSessions {
  add(session: Session): Promise<void>;
  /** Returns the given IDs that were signed out. */
  findEnded(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** @param seconds - Returns Unix seconds. */
export function endedSessions(database: ShopDatabase, seconds: () => number): EndedSessions {
  return {
    async add({ id, expiresAt }) {
      await withTransaction(database.db, async (db) => {
        await db.deleteFrom('shop_ended_sessions').where('expires_at', '<=', seconds()).execute();
        await db
          .insertInto('shop_ended_sessions')
          .values({ session_id: id, expires_at: expiresAt })
          .onConflict((conflict) => conflict.column('session_id').doNothing())
          .execute();
      });
    },
    async findEnded(ids) {
      if (ids.length === 0) return new Set();
      const rows = await database.db
        .selectFrom('shop_ended_sessions')
        .select('session_id')
        .where('session_id', 'in', ids)
        .execute();
      return new Set(rows.map(({ session_id }) => session_id));
    },
  };
}
