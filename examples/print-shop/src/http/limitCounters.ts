import { createHmac } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Config } from '../config/readConfig.js';
import type { ShopDatabase } from '../database/openDatabase.js';

/** Counts something for each key, such as the requests of an address. After some time it counts from zero again. */
interface LimitCounter {
  /** Counts one more. Returns the new count, which may exceed the limit, and when the count starts from zero again. */
  increment(key: string): Promise<{ readonly count: number; readonly resetTime: Date }>;
  decrement(key: string): Promise<void>;
  reset(key: string): Promise<void>;
}

/**
 * Creates a counter. The name distinguishes it from others.
 *
 * @param limit - The highest count of interest. Above it, a counter need not query the database.
 */
export type CreateCounter = (
  name: string,
  limit: number,
  options: { readonly seconds: number },
) => LimitCounter;

/** How long the database may take to count. */
const QUERY_MS = 1000;
/** How long this process counts by itself after the database has failed, so that requests do not wait for it. */
const PAUSE_MS = 5000;

/**
 * Creates the counters of the shop. All instances share them in PostgreSQL. If PostgreSQL does not respond, and with
 * SQLite, each process counts by itself, in memory. Keys are hashed, because they contain addresses.
 */
export function limitCounters(
  { db, dialect }: Pick<ShopDatabase, 'db' | 'dialect'>,
  { sessionSecret }: Pick<Config, 'sessionSecret'>,
): CreateCounter {
  const hash = (key: string) =>
    createHmac('sha256', sessionSecret).update(`limits:${key}`).digest('base64url').slice(0, 22);
  let pausedUntil = 0;
  // Leave out the names that the library gives its statements: named statements fail behind a connection pooler.
  const query = async ({ text, values = [] }: { text: string; values?: unknown[] }) => {
    if (Date.now() < pausedUntil) throw new Error('PostgreSQL has failed to count.');
    try {
      const { rows } = await withLimit(db.executeQuery(CompiledQuery.raw(text, values)));
      return { rows, rowCount: rows.length };
    } catch (error) {
      pausedUntil = Date.now() + PAUSE_MS;
      throw error;
    }
  };
  let isCleaned = false;
  return (name, limit, { seconds }) => {
    const own = { keyPrefix: name, points: limit, duration: seconds };
    const memory = new RateLimiterMemory(own);
    if (dialect === 'sqlite') return toCounter(memory, hash);
    const shared = new RateLimiterPostgres({
      ...own,
      storeClient: { query },
      storeType: 'pool',
      tableName: 'shop_limits',
      tableCreated: true,
      insuranceLimiter: memory,
      // One limiter deletes the old rows of all.
      clearExpiredByTimeout: !isCleaned,
      inMemoryBlockOnConsumed: limit + 1,
    });
    isCleaned = true;
    return toCounter(shared, hash);
  };
}

async function withLimit<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('PostgreSQL did not count in time.')), QUERY_MS);
  });
  // After the time limit, nobody waits for the query any more, so ignore its error.
  work.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function toCounter(limiter: RateLimiterAbstract, hash: (key: string) => string): LimitCounter {
  return {
    async increment(key) {
      const counted = await limiter.consume(hash(key)).catch((refused: unknown) => {
        if (refused instanceof RateLimiterRes) return refused;
        throw refused;
      });
      const { consumedPoints, msBeforeNext } = counted;
      // The library reports no count for a key that it has blocked in memory.
      const count = consumedPoints === 0 ? limiter.points + 1 : consumedPoints;
      return { count, resetTime: new Date(Date.now() + msBeforeNext) };
    },
    async decrement(key) {
      await limiter.reward(hash(key));
    },
    async reset(key) {
      await limiter.delete(hash(key));
    },
  };
}
