import { sql } from 'kysely';
import {
  type DeliveryStore,
  MAX_BACKOFF_SECONDS,
  toPendingChange,
} from '../../orders/store/OrderStore.js';
import type { OpenDatabase } from '../SqlDatabase.js';
import { toKey } from '../schema.js';
import { executeWrite } from '../transactions/withTransaction.js';

/**
 * Creates the delivery store, which is a transactional outbox. The transaction that records an order also adds a change
 * to the table `ramp_changes`. The change stays there until it has been delivered.
 */
export const deliveries = (open: OpenDatabase): DeliveryStore => ({
  async listPendingChanges(now, limit) {
    const { db } = await open();
    const { rows } = await selectQueued(now, limit).execute(db);
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

/**
 * Selects the changes that are due, and then those that are postponed beyond the longest backoff, because the clock was
 * ahead. The two are joined by `union all`, because the index cannot serve both conditions at once. Every instance runs
 * this statement each time it looks for work, so it is one statement, and plain SQL, which Kysely need not build.
 */
const selectQueued = (now: number, limit: number) => sql<QueuedChange>`
  select queued.record, queued.tries, checkout.intent
  from (
    select * from (
      select record, tries, reference, not_before, event_id from ramp_changes
      where not_before <= ${now} order by not_before, event_id limit ${limit}
    ) as due
    union all
    select * from (
      select record, tries, reference, not_before, event_id from ramp_changes
      where not_before > ${now + MAX_BACKOFF_SECONDS} order by not_before, event_id limit ${limit}
    ) as postponed
  ) as queued
  left join ramp_intents as checkout on checkout.reference = queued.reference
  order by queued.not_before, queued.event_id
  limit ${limit}`;

interface QueuedChange {
  readonly record: string;
  readonly tries: number | string;
  readonly intent: string | null;
}
