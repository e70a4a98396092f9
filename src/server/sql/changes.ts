import { sql } from 'kysely';
import { MAX_POSTPONE_SECONDS, type OrderStore, type PendingChange } from '../OrderStore.js';
import { changeKey } from '../orders/changeKey.js';
import type { OrderRecord } from '../orders/OrderRecord.js';
import { keyOf } from './keyOf.js';
import type { Connection, Open } from './SqlDatabase.js';
import { write } from './write.js';

type Changes = Pick<OrderStore, 'pendingChanges' | 'settleChanges' | 'postponeChange'>;

export const changes = (open: Open): Changes => ({
  async pendingChanges(now, limit) {
    const { db } = await open();
    const rows = await queued(db, '<=', now, limit);
    // Two queries, as no index serves both at once.
    if (rows.length < limit)
      rows.push(...(await queued(db, '>', now + MAX_POSTPONE_SECONDS, limit - rows.length)));
    return rows.map(({ record: text, tries, intent }): PendingChange => {
      const record: OrderRecord = JSON.parse(text);
      const known = intent !== null && { intent: JSON.parse(intent) };
      return { key: changeKey(record), record, ...known, tries: Number(tries) };
    });
  },
  async settleChanges(keys) {
    if (keys.length === 0) return;
    const settled = keys.map(keyOf);
    await write(await open(), (db) => db.deleteFrom('ramp_changes').where('key', 'in', settled));
  },
  async postponeChange(key, notBefore) {
    const later = { not_before: notBefore, tries: sql<number>`tries + 1` };
    await write(await open(), (db) =>
      db.updateTable('ramp_changes').set(later).where('key', '=', keyOf(key)),
    );
  },
});

const queued = (db: Connection, compare: '<=' | '>', time: number, limit: number) =>
  db
    .selectFrom('ramp_changes as change')
    .leftJoin('ramp_intents as of', 'of.reference', 'change.reference')
    .select(['change.record', 'change.tries', 'of.intent'])
    .where('change.not_before', compare, time)
    .orderBy('change.not_before')
    .orderBy('change.event_id')
    .limit(limit)
    .execute();
