import type {
  CheckoutOutcome,
  OrderEvent,
  OrderRecordStore,
} from '../../orders/store/OrderStore.js';
import type { OpenDatabase, SqlConnection } from '../SqlDatabase.js';
import { inChunks } from '../schema/inChunks.js';

type Entry = Omit<OrderEvent, 'id'>;

/** Appends entries to the log and returns the id of the first one. Call it under the write lock. */
export async function appendEvents(db: SqlConnection, entries: readonly Entry[]): Promise<number> {
  const first = (await lastEventId(db)) + 1;
  const rows = entries.map(({ at, reference, record, outcome }, i) => ({
    id: first + i,
    at,
    reference: reference ?? null,
    outcome: outcome ?? null,
    record: record ? JSON.stringify(record) : null,
  }));
  await inChunks(rows, (chunk) => db.insertInto('ramp_events').values(chunk).execute());
  await db
    .updateTable('ramp_state')
    .set({ last_event_id: first + rows.length - 1 })
    .execute();
  return first;
}

/** Reads the id of the newest entry. It is stored separately, because a purge may delete that entry. */
async function lastEventId(db: SqlConnection): Promise<number> {
  const state = db.selectFrom('ramp_state').select('last_event_id');
  return Number((await state.executeTakeFirstOrThrow()).last_event_id);
}

/** Creates the reader of the event log. */
export const events = (
  open: OpenDatabase,
): Pick<OrderRecordStore, 'listEventsAfter' | 'lastEventId'> => ({
  async listEventsAfter(id, limit) {
    const { db } = await open();
    const entries = db.selectFrom('ramp_events').selectAll().where('id', '>', id).orderBy('id');
    const rows = await entries.limit(limit).execute();
    return rows.map(
      ({ id, at, reference, outcome, record }): OrderEvent => ({
        id: Number(id),
        at: Number(at),
        ...(reference !== null && { reference }),
        ...(record !== null && { record: JSON.parse(record) }),
        ...(outcome !== null && { outcome: outcome as CheckoutOutcome }),
      }),
    );
  },
  async lastEventId() {
    return lastEventId((await open()).db);
  },
});
