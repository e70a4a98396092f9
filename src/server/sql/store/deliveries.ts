import { sql } from 'kysely';
import {
  type DeliveryStore,
  MAX_BACKOFF_SECONDS,
  toPendingChange,
} from '../../orders/store/OrderStore.js';
import type { OpenDatabase, SqlConnection } from '../SqlDatabase.js';
import { toKey } from '../schema.js';
import { executeWrite } from '../transactions/withTransaction.js';

/**
 * Creates the delivery store, which is a transactional outbox. The transaction that records an order also adds a change
 * to the table `ramp_changes`. The change stays there until it has been delivered.
 */
export const deliveries = (open: OpenDatabase): DeliveryStore => ({
  async listPendingChanges(now, limit) {
    const { db } = await open();
    const rows = await selectQueued(db, '<=', now, limit);
    // Then list the changes that are postponed beyond the longest backoff, because the clock was ahead. They need a
    // second query, because one index cannot serve both conditions.
    if (rows.length < limit)
      rows.push(...(await selectQueued(db, '>', now + MAX_BACKOFF_SECONDS, limit - rows.length)));
    return rows.map(({ record, tries, intent }) =>
      toPendingChange(JSON.parse(record), intent ? JSON.parse(intent) : undefined, Number(tries)),
    );
  },
  async acknowledgeChanges(keys) {
    if (keys.length === 0) return;
    const settled = keys.map(toKey);
    await executeWrite(await open(), (db) =>
      db.deleteFrom('ramp_changes').where('key', 'in', settled),
    );
  },
  async postponeChange(key, notBefore) {
    const later = { not_before: notBefore, tries: sql<number>`tries + 1` };
    await executeWrite(await open(), (db) =>
      db.updateTable('ramp_changes').set(later).where('key', '=', toKey(key)),
    );
  },
});

const selectQueued = (db: SqlConnection, compare: '<=' | '>', time: number, limit: number) =>
  db
    .selectFrom('ramp_changes as change')
    .leftJoin('ramp_intents as of', 'of.reference', 'change.reference')
    .select(['change.record', 'change.tries', 'of.intent'])
    .where('change.not_before', compare, time)
    .orderBy('change.not_before')
    .orderBy('change.event_id')
    .limit(limit)
    .execute();
