import { withTransaction } from '@partner-ramp/react/server/sql';
import type { Request } from 'express';
import type { ShopDatabase } from '../database/openDatabase.js';
import { type Account, createDemoShopper, type Shopper } from './Shopper.js';
import { readSession, type Session, writeSession } from './sessionCookie.js';

/** The sessions of shoppers. Mount sessionCookie() before any route that uses them. */
export interface ShopSessions {
  /** Returns `undefined` if nobody is signed in. A session that was signed out on any instance counts as signed out. */
  getShopper(req: Request): Promise<Shopper | undefined>;
  /**
   * Signs in to a demo account, or signs out if `account` is `null`. The former cookie becomes invalid. The visitor
   * stays the same, unless the former cookie was already invalid.
   */
  signIn(req: Request, account: Account | null): Promise<void>;
  /**
   * Signs a new visitor in to a demo account, so that the demo works immediately. Does nothing if there is a session.
   */
  signInFirstVisit(req: Request): void;
}

/** @param now - Returns milliseconds since 1970. */
export function createShopSessions(database: ShopDatabase, now: () => number): ShopSessions {
  const getSeconds = () => Math.floor(now() / 1000);
  const ended = endedSessions(database, getSeconds);

  async function findSession(req: Request) {
    const session = readSession(req, getSeconds());
    return session && (await ended.findEnded([session.id])).has(session.id) ? undefined : session;
  }

  return {
    async getShopper(req) {
      // Skip the query for visitors who are signed out.
      if (!readSession(req, getSeconds())?.account) return undefined;
      const session = await findSession(req);
      return session?.account ? createDemoShopper(session.visitor, session.account) : undefined;
    },
    async signIn(req, account) {
      const session = await findSession(req);
      if (session) await ended.add(session);
      writeSession(req, account, getSeconds(), session?.visitor);
    },
    signInFirstVisit(req) {
      if (!readSession(req, getSeconds())) writeSession(req, 'a', getSeconds());
    },
  };
}

/** The sessions that were signed out before they expired. All instances of the shop share them. */
export interface EndedSessions {
  add(session: Session): Promise<void>;
  /** Returns those of the given session IDs that were signed out. */
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
