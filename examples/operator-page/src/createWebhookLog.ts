import type { DiagnosticsMessages } from '@partner-ramp/react/server';
import { withTransaction } from '@partner-ramp/react/server/sql';
import { sql } from 'kysely';
import type { OperatorDatabase } from './operatorTables.js';

export interface WebhookCount {
  /** The time at which the minute began, Unix seconds. */
  readonly minute: number;
  readonly outcome: 'accepted' | 'replayed' | 'refused';
  /** Why the webhooks were refused. Absent for the other outcomes. */
  readonly reason?: string;
  readonly count: number;
}

export interface WebhookLog {
  /** Counts a webhook: a message of the channel `partner-ramp:webhook`. */
  count(message: unknown): void;
  /** Returns the latest counts, newest minute first. */
  listLatest(limit: number): Promise<WebhookCount[]>;
  /** Returns how many webhooks were refused since a time, Unix seconds. */
  countRefused(since: number): Promise<number>;
  /** Writes the counts that are not in the database yet. */
  flush(): Promise<void>;
}

interface LogOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

type WebhookMessage = DiagnosticsMessages['partner-ramp:webhook'];

const OUTCOMES = { accepted: 'accepted', replay: 'replayed', failed: 'refused' } as const;

const FLUSH_MS = 1000;
const KEPT_SECONDS = 30 * 86_400;

/**
 * Creates a log that counts webhooks by outcome. Any caller can send any number of webhooks. To bound the writes, the
 * counts are aggregated by minute and written at most once a second.
 */
export function createWebhookLog(
  database: OperatorDatabase,
  { now, onError }: LogOptions,
): WebhookLog {
  const { db } = database;
  let waiting = new Map<
    string,
    { minute: number; outcome: string; reason: string; count: number }
  >();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing = Promise.resolve();

  function count(message: unknown): void {
    const { outcome: ended = 'failed', reason: why = 'unexpected' } = message as WebhookMessage;
    const outcome = OUTCOMES[ended];
    const reason = ended === 'failed' ? why : '';
    const minute = Math.floor(now() / 60_000) * 60;
    const key = `${minute} ${outcome} ${reason}`;
    const counted = waiting.get(key) ?? { minute, outcome, reason, count: 0 };
    counted.count++;
    waiting.set(key, counted);
    timer ??= setTimeout(flush, FLUSH_MS).unref();
  }

  async function writeCounts(rows: readonly { minute: number }[]): Promise<void> {
    await withTransaction(database.db, async (connection) => {
      await connection
        .insertInto('shop_webhooks')
        .values(rows as never)
        .onConflict((conflict) =>
          conflict
            .columns(['minute', 'outcome', 'reason'])
            .doUpdateSet({ count: sql<number>`shop_webhooks.count + excluded.count` }),
        )
        .execute();
      const before = Math.floor(now() / 1000) - KEPT_SECONDS;
      await connection.deleteFrom('shop_webhooks').where('minute', '<', before).execute();
    });
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const rows = [...waiting.values()];
    waiting = new Map();
    // Webhooks do not wait for this write, and its failure does not affect them.
    if (rows.length > 0) writing = writing.then(() => writeCounts(rows)).catch(onError);
    return writing;
  }

  return {
    flush,
    count,
    async countRefused(since) {
      const { count } = await db
        .selectFrom('shop_webhooks')
        .select(({ fn }) => fn.sum('count').as('count'))
        .where('minute', '>=', since)
        .where('outcome', '=', 'refused')
        .executeTakeFirstOrThrow();
      return Number(count ?? 0);
    },
    async listLatest(limit) {
      const rows = await db
        .selectFrom('shop_webhooks')
        .selectAll()
        .orderBy('minute', 'desc')
        .orderBy('outcome')
        .orderBy('reason')
        .limit(limit)
        .execute();
      return rows.map(({ minute, outcome, reason, count }) => ({
        minute: Number(minute),
        outcome: outcome as WebhookCount['outcome'],
        ...(reason && { reason }),
        count: Number(count),
      }));
    },
  };
}
