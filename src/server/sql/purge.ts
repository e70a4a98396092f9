import type { OrderStore } from '../OrderStore.js';
import { exclusively } from './exclusively.js';
import type { Connection, Open } from './SqlDatabase.js';

/** So many rows go in one transaction: others wait for it, in SQLite the process as well. */
const BATCH = 1000;

export const purge = (open: Open): Pick<OrderStore, 'purge'> => ({
  async purge(before) {
    const database = await open();
    for (const forget of [forgetCheckouts, forgetEvents, forgetReplays]) {
      // Exclusively, or an order could be recorded for a checkout that goes.
      const once = () =>
        exclusively(database, (db) => forget(db, before).executeTakeFirstOrThrow());
      while ((await once()).numDeletedRows >= BATCH);
    }
  },
});

const forgetCheckouts = (db: Connection, before: number) =>
  db.deleteFrom('ramp_intents').where('id', 'in', (old) =>
    old
      .selectFrom('ramp_intents as intent')
      .select('intent.id')
      .where('intent.expires_at', '<', before)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('ramp_orders as order')
              .select('order.order_id')
              .whereRef('order.reference', '=', 'intent.reference'),
          ),
        ),
      )
      .limit(BATCH),
  );

const forgetEvents = (db: Connection, before: number) =>
  db
    .deleteFrom('ramp_events')
    .where('id', 'in', (old) =>
      old.selectFrom('ramp_events').select('id').where('at', '<', before).limit(BATCH),
    );

const forgetReplays = (db: Connection, before: number) =>
  db
    .deleteFrom('ramp_replays')
    .where('hash', 'in', (old) =>
      old.selectFrom('ramp_replays').select('hash').where('keep_until', '<', before).limit(BATCH),
    );
